import { shippingFeature } from './feature.js'

/** What a shop with ShipStation has. It is loaded only there. */
export const shippingFeatures = [shippingFeature] as const

import { shippingFeature } from './feature.js'
import { trackingFeature } from './tracking/feature.js'

/** What a shop with ShipStation has. It is loaded only there. */
export const shippingFeatures = [shippingFeature, trackingFeature] as const

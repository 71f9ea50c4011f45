import type { StoreSetup } from './store-config.js'

/** A shop that has neither a ShipStation nor a Klaviyo. */
export const shopToTry = {
  options: {
    marketing: { delivery: 'loop' },
    shipping: { settings: { username: '', password: '' } },
  },
} as const satisfies Pick<StoreSetup, 'options'>

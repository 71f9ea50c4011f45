import { randomUUID } from 'node:crypto'
import type { StoreSetup } from './store-config.js'

/** A shop that has neither a ShipStation nor a Klaviyo. */
export const shopToTry = {
  options: {
    productUrl: ({ productId }) => `/tea/${productId}`,
    marketing: {
      delivery: 'loop',
      coupons: {
        id: 'COME-BACK',
        stock: 120,
        makeCodes: ({ count }) => Array.from({ length: count }, () => ({ code: randomUUID() })),
      },
    },
    shipping: { settings: { username: '', password: '' } },
  },
} as const satisfies Pick<StoreSetup, 'options'>

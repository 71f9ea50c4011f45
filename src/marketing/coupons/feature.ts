import { defineFeature } from '../../core/feature.js'
import { couponCodesCollection } from './coupon-collection.js'
import { couponOptions } from './coupon-options.js'
import { couponMatters } from './matters.js'

/** Discount codes of the store's that Klaviyo gives out, each to one person. */
export const couponsFeature = defineFeature({
  options: { marketing: couponOptions },
  collections: () => [couponCodesCollection()],
  matters: couponMatters,
  parts: async () => (await import('./parts.js')).couponsParts,
})

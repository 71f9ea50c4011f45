import { defineParts } from '../../core/feature.js'
import type { HttpParts } from '../../core/http/parts.js'
import { featureMatters } from '../../core/matter.js'
import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import type { WorkerParts } from '../../core/workers/parts.js'
import type { DeliveryParts } from '../delivery/parts.js'
import type { FeedsParts } from '../feeds/parts.js'
import type { KlaviyoParts } from '../klaviyo/parts.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import { createCodeCheck } from './code-check.js'
import { couponCodes } from './coupon-codes.js'
import type { couponOptions } from './coupon-options.js'
import { readCouponProgress } from './coupon-progress.js'
import type { Coupons } from './coupon-stock.js'
import { createCouponSync } from './coupon-sync.js'
import { couponMatters } from './matters.js'
import { createUsedCodes } from './used-codes.js'

export type CouponsParts = ReturnType<typeof build>

type Need = HttpParts &
  WorkerParts &
  DeliveryParts &
  FeedsParts &
  KlaviyoParts &
  MarketingSettingsParts

function build(shop: Shop<{ marketing: OptionsOf<typeof couponOptions> }>, parts: Need) {
  const { coupons } = shop.options.marketing
  return {
    /** Undefined in a store without coupons. */
    coupons: coupons && createCoupons(shop, parts, coupons),
  }
}

function createCoupons(shop: Shop, parts: Need, coupons: Coupons) {
  const codes = couponCodes(shop.database)
  const need = { ...parts, codes }
  return {
    sync: createCouponSync(shop, need, coupons),
    feed: parts.feedOf(createUsedCodes(shop, need)),
    accept: createCodeCheck(shop, need),
    /** Why there are no new codes, or fewer. */
    problem: async () =>
      (await readCouponProgress(shop.payload))?.problem ?? (await codes.refusal()),
  }
}

export const couponsParts = defineParts({
  build,
  acceptCode: (_shop: Shop, { coupons }: CouponsParts) => coupons?.accept,
  matters: (_shop: Shop, { coupons }: CouponsParts) =>
    featureMatters(couponMatters, async () => ({ problem: await coupons?.problem() })),
  workers: (_shop: Shop, { coupons }: CouponsParts) =>
    coupons === undefined ? [] : [coupons.feed, coupons.sync],
})

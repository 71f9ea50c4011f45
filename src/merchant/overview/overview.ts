import type { ProductFeedParts } from '../../marketing/product-feed/parts.js'
import type { Shop } from '../../core/shop.js'
import { readHours, readNewestSkipped, readToday, readWaiting, type Read } from './read-overview.js'

/** Reads the overview page from the store's database. */
export function createOverview(shop: Shop, read: Read & ProductFeedParts) {
  const { database, effects } = shop
  const {
    sends,
    delivery: loop,
    deliveryFacts,
    failures,
    metrics,
    missingProductFields,
    recheckSkipped,
    shippingFacts,
  } = read
  return {
    /** The fields that the products' collection lacks, so that no exported line item can have them. */
    missingProductFields: missingProductFields(),
    /** What shows whether ShipStation and Klaviyo work. */
    async facts() {
      loop.answered()
      await recheckSkipped({ failuresOnly: false })
      const [shipping, delivery, waiting, failed, lastMapping] = await Promise.all([
        shippingFacts(),
        deliveryFacts(),
        readWaiting(sends),
        failures.read(),
        metrics.lastCheck(),
      ])
      return { shipping, marketing: { ...delivery, waiting, failed, lastMapping } }
    },
    /** What the overview page shows below the states. */
    async details() {
      const [hours, newestSkipped, today] = await Promise.all([
        readHours(sends, effects.now()),
        readNewestSkipped(database),
        readToday(shop, read),
      ])
      return { hours, newestSkipped, today }
    },
  }
}

export type Overview = ReturnType<typeof createOverview>
export type OverviewFacts = Awaited<ReturnType<Overview['facts']>>
export type OverviewDetails = Awaited<ReturnType<Overview['details']>>

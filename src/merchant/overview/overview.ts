import type { ProductFeedParts } from '../../marketing/product-feed/parts.js'
import type { Shop } from '../../core/shop.js'
import {
  readHours,
  readMarketingFacts,
  readNewestSkipped,
  readShippingFacts,
  readToday,
  type Read,
} from './read-overview.js'

/** Reads the overview page from the store's database. */
export function createOverview(shop: Shop, read: Read & ProductFeedParts) {
  const { database, effects } = shop
  const { sends, delivery, missingProductFields, recheckSkipped } = read
  return {
    /** The fields that the products' collection lacks, so that no exported line item can have them. */
    missingProductFields: missingProductFields(),
    /** What shows whether ShipStation and Klaviyo work. */
    async facts() {
      delivery.answered()
      await recheckSkipped({ failuresOnly: false })
      const [shipping, marketing] = await Promise.all([
        readShippingFacts(shop, read),
        readMarketingFacts(shop, read),
      ])
      return { shipping, marketing }
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

import { sql } from 'drizzle-orm'
import { resendSends } from '../delivery/outbox.js'
import type { ProductFeedParts } from '../product-feed/feature.js'
import type { Shop } from '../shop.js'
import type { SendTable } from '../delivery/send-table.js'
import {
  failedSends,
  readHours,
  readMarketingFacts,
  readNewestSkipped,
  readShippingFacts,
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
      const [hours, newestSkipped] = await Promise.all([
        readHours(sends, effects.now()),
        readNewestSkipped(database),
      ])
      return { hours, newestSkipped }
    },
    /**
     * Puts the failed sends with this error code back into the queue: at most `resentAtMost`, the oldest
     * first. Resolves to their number.
     */
    async resend(code: string) {
      const count = await resendReason(sends, code, effects.now())
      if (count > 0) delivery.wake()
      return count
    },
  }
}

export type Overview = ReturnType<typeof createOverview>
export type OverviewFacts = Awaited<ReturnType<Overview['facts']>>
export type OverviewDetails = Awaited<ReturnType<Overview['details']>>

/** The most failed sends that one click resends. */
export const resentAtMost = 50_000

/** Small batches, so that other queries do not wait long for the database. */
const resendBatchSize = 1000

/** Selects the sends once, because otherwise those that fail again meanwhile would be resent for ever. */
async function resendReason(sends: SendTable, code: string, now: Date): Promise<number> {
  const s = sends.as('s')
  // Sends of one profile leave in the order of their ids, so the oldest go back first.
  const rows = await sends.database.rows(sql`select ${s.id} as "id" from ${failedSends(sends)}
    and coalesce(${s.errorCode}, '') = ${code} order by ${s.id} limit ${resentAtMost}`)
  const ids = rows.map(({ id }) => Number(id))
  let count = 0
  for (let at = 0; at < ids.length; at += resendBatchSize) {
    count += await resendSends(sends, ids.slice(at, at + resendBatchSize), now)
  }
  return count
}

import { sql } from 'drizzle-orm'
import { column } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { changedRows, type Changed } from '../feeds/changed-rows.js'
import { reportedCondition } from '../../shop/orders/order-reader.js'
import type { Shop } from '../../core/shop.js'
import type { HistoryPeriod } from './period.js'

/** The order after which a page begins; without its moment and id, the beginning of the period. */
interface Place {
  at?: string
  id?: DocumentId
}

/** Finds the orders of a period. */
export function createPastOrders(shop: Shop) {
  const { database, options } = shop
  const { collections, timezone } = options
  const table = database.table(collections.orders)
  const at = column(table, 'createdAt')
  const condition = reportedCondition(shop)

  return {
    async count(period: HistoryPeriod): Promise<number> {
      const { momentsOf } = await import('./period.js')
      const { begin, end } = momentsOf(period, timezone)
      const isInPeriod = sql`${at} >= ${begin.toISOString()} and ${at} < ${end.toISOString()}`
      return database.count(sql`${table} where ${isInPeriod} and ${condition}`)
    },

    async page(
      period: HistoryPeriod,
      { at: moment, id }: Place,
      limit: number,
    ): Promise<Changed[]> {
      const { momentsOf } = await import('./period.js')
      const { begin, end } = momentsOf(period, timezone)
      // `changedRows` excludes its begin and includes its end, and the databases store milliseconds.
      const from = { at: new Date(moment ?? begin.getTime() - 1), id }
      const until = new Date(end.getTime() - 1)
      return changedRows(database, { table, at, condition }, { from, until, limit })
    },
  }
}

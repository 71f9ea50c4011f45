import { sql } from 'drizzle-orm'
import type { ResolvedOptions } from '../options/resolve-options.js'
import { changedRows, type Changed } from '../shop-events/changed-rows.js'
import { column, type Database } from '../store/payload/database.js'
import { orderCondition } from '../store/payload/order-condition.js'
import type { Place } from './history-table.js'
import { momentsOf, type HistoryPeriod } from './period.js'

/** Finds the orders of a period. */
export function createPastOrders(
  database: Database,
  { collections, timezone }: Pick<ResolvedOptions, 'collections' | 'timezone'>,
) {
  const table = database.table(collections.orders)
  const at = column(table, 'createdAt')
  const condition = orderCondition(table, { window: undefined, store: undefined })

  return {
    async count(period: HistoryPeriod): Promise<number> {
      const { begin, end } = momentsOf(period, timezone)
      const [row] = await database.rows(sql`select count(*) as "count" from ${table}
        where ${at} >= ${begin.toISOString()} and ${at} < ${end.toISOString()} and ${condition}`)
      return Number(row?.count)
    },

    /** The next orders behind a place; from the beginning without one. */
    page(period: HistoryPeriod, { at: moment, id }: Place, limit: number): Promise<Changed[]> {
      const { begin, end } = momentsOf(period, timezone)
      // Behind the last millisecond before, and up to the last one of the period: the databases' precision.
      const from = { at: new Date(moment ?? begin.getTime() - 1), id }
      const until = new Date(end.getTime() - 1)
      return changedRows(database, { table, at, condition }, { from, until, limit })
    },
  }
}

export type PastOrders = ReturnType<typeof createPastOrders>

import { sql } from 'drizzle-orm'
import type { ResolvedOptions } from '../options/resolve-options.js'
import { changedRows, type Changed, type Position } from '../shop-events/changed-rows.js'
import { column, type Database } from '../store/payload/database.js'
import { orderCondition } from '../store/payload/order-condition.js'
import type { HistoryPeriod } from './history-run.js'
import { momentsOf } from './period.js'

/** Finds the orders of a period. */
export function createPastOrders(
  database: Database,
  { collections, timezone }: Pick<ResolvedOptions, 'collections' | 'timezone'>,
) {
  const table = database.table(collections.orders)
  const at = column(table, 'createdAt')
  const condition = orderCondition(table, { window: undefined, store: undefined })
  // Behind the last millisecond before, and up to the last one of the period: the databases' precision.
  const bounds = (period: HistoryPeriod) => {
    const { begin, end } = momentsOf(period, timezone)
    return { before: new Date(begin.getTime() - 1), until: new Date(end.getTime() - 1) }
  }

  return {
    async count(period: HistoryPeriod): Promise<number> {
      const { before, until } = bounds(period)
      const [row] = await database.rows(sql`select count(*) as "count" from ${table}
        where ${at} > ${before.toISOString()} and ${at} <= ${until.toISOString()} and ${condition}`)
      return Number(row?.count)
    },

    /** The next orders behind a position; from the beginning without one. */
    page(
      period: HistoryPeriod,
      { cursor, limit }: { cursor: Position | undefined; limit: number },
    ): Promise<Changed[]> {
      const { before, until } = bounds(period)
      const from = cursor ?? { at: before, id: undefined }
      return changedRows(database, { table, at, condition }, { from, until, limit })
    },
  }
}

export type PastOrders = ReturnType<typeof createPastOrders>

import { sql } from 'drizzle-orm'
import { momentsOf } from './period.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import type { HistoryPeriod } from './history-run.js'
import type { Position } from '../store/past-changes.js'
import { column, type Database } from '../store/payload/database.js'
import { orderCondition } from '../store/payload/order-condition.js'
import { rowsBehind } from '../shop-events/position.js'

/** Finds the orders of a period. */
export function createPastOrders(
  database: Database,
  { collections, timezone }: Pick<ResolvedOptions, 'collections' | 'timezone'>,
) {
  const orders = database.table(collections.orders)
  const createdAt = column(orders, 'createdAt')
  const id = column(orders, 'id')
  const isThere = orderCondition(orders, { window: undefined, store: undefined })
  // Behind the last millisecond before, and up to the last one of the period: the databases' precision.
  const bounds = (period: HistoryPeriod) => {
    const { begin, end } = momentsOf(period, timezone)
    return { before: new Date(begin.getTime() - 1), until: new Date(end.getTime() - 1) }
  }

  return {
    async count(period: HistoryPeriod): Promise<number> {
      const { before, until } = bounds(period)
      const condition = sql`${createdAt} > ${before.toISOString()}
        and ${createdAt} <= ${until.toISOString()}`
      const [row] = await database.rows(
        sql`select count(*) as "count" from ${orders} where ${condition} and ${isThere}`,
      )
      return Number(row?.count)
    },

    /** The next orders behind a position; from the beginning without one. */
    async page(
      period: HistoryPeriod,
      { cursor, limit }: { cursor: Position | undefined; limit: number },
    ): Promise<Position[]> {
      const { before, until } = bounds(period)
      const from = cursor ?? { at: before, id: undefined }
      const { condition, order } = rowsBehind({ at: createdAt, id }, { from, until, limit })
      const rows = await database.rows(sql`select ${id} as "id", ${createdAt} as "at"
        from ${orders} where ${condition} and ${isThere} ${order}`)
      return rows.map((row) => ({ at: new Date(String(row.at)), id: row.id as number | string }))
    },
  }
}

export type PastOrders = ReturnType<typeof createPastOrders>

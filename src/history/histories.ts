import { randomUUID } from 'node:crypto'
import { inArray, sql, type SQL } from 'drizzle-orm'
import type { DocumentId } from '../commerce/order.js'
import type { Database } from '../store/payload/database.js'
import {
  historyTable,
  type HistoryRun,
  type HistoryState,
  type HistoryValues,
} from './history-table.js'
import type { PastOrders } from './past-orders.js'
import type { HistoryPeriod } from './period.js'

export interface HistoriesParts {
  database: Database
  pastOrders: Pick<PastOrders, 'count'>
  now: () => Date
}

/** Of the one run that is under way. */
const underWay = 'yes'

/**
 * What people do with the runs in the collection `marketing-histories`.
 *
 * @throws {TypeError} when the database lacks the collection.
 */
export function createHistories({ database, pastOrders, now }: HistoriesParts) {
  const runs = historyTable(database, now)
  const isRun = (id: DocumentId) => sql`${runs.at('id')} = ${id}`
  const isUnderWay = sql`${runs.at('underWay')} = ${underWay}`
  const find = async (condition: SQL) => (await runs.read(condition))?.run

  /** Moves a run on from one of some states; undefined when it is in none of them. */
  async function move(
    id: DocumentId,
    from: HistoryState[],
    values: HistoryValues & { state: HistoryState },
  ): Promise<HistoryRun | undefined> {
    const isMoved = await runs.change(
      values,
      sql`${isRun(id)} and ${inArray(runs.at('state'), from)}`,
    )
    return isMoved ? find(isRun(id)) : undefined
  }

  return {
    countOrders: (period: HistoryPeriod): Promise<number> => pastOrders.count(period),

    /** Begins a run. While another one is under way that one is given instead; a failed one is not. */
    async start(
      { from, to }: HistoryPeriod,
      { startedBy }: { startedBy: string | undefined },
    ): Promise<{ run: HistoryRun; isNew: boolean }> {
      const key = randomUUID()
      const moment = now().toISOString()
      await database.insertIgnoring(runs.table, {
        from,
        to,
        state: 'counting',
        done: 0,
        events: 0,
        passedOver: 0,
        startedBy: startedBy ?? null,
        underWay,
        key,
        createdAt: moment,
        updatedAt: moment,
      })
      const own = await find(sql`${runs.at('key')} = ${key}`)
      if (own !== undefined) return { run: own, isNew: true }
      const other = await find(isUnderWay)
      // The other one ended in between.
      if (other === undefined) return this.start({ from, to }, { startedBy })
      return { run: other, isNew: false }
    },

    // These three resolve to the run, and to undefined when it is not in a state for it.

    pause: (id: DocumentId) => move(id, ['counting', 'running'], { state: 'paused' }),

    /** A failed one goes on only where no other is under way. */
    async resume(id: DocumentId): Promise<HistoryRun | undefined> {
      const stored = await runs.read(isRun(id))
      if (stored === undefined) return undefined
      const { at, id: orderId, known } = stored.place
      try {
        return await move(id, ['paused', 'failed'], {
          state: stored.run.total === undefined ? 'counting' : 'running',
          underWay,
          lastError: null,
          cursor: JSON.stringify({ at, id: orderId, known }),
        })
      } catch (error) {
        // Two under way are refused by the database.
        const other = await find(isUnderWay)
        if (other === undefined || other.id === id) throw error
        return undefined
      }
    },

    /** What is in the queue by then is sent all the same. */
    cancel: (id: DocumentId) =>
      move(id, ['counting', 'running', 'paused', 'failed'], {
        state: 'cancelled',
        underWay: null,
        endedAt: now().toISOString(),
      }),

    /** The run that began last. */
    latest: () => find(sql`true`),

    find: (id: DocumentId) => find(isRun(id)),
  }
}

export type Histories = ReturnType<typeof createHistories>

import { inArray, sql, type SQL } from 'drizzle-orm'
import type { DocumentId } from '../../core/database/document-id.js'
import {
  historyTable,
  type HistoryRun,
  type HistoryState,
  type HistoryValues,
} from './history-table.js'
import { createPastOrders } from './past-orders.js'
import type { HistoryPeriod } from './period.js'
import type { Shop } from '../../core/shop.js'

/** The value of the unique column `underWay`, so that only one run can be under way. */
const underWay = 'yes'

/** @throws {TypeError} when the database lacks the collection `marketing-histories`. */
export function createHistories(shop: Shop) {
  const { database, effects } = shop
  const pastOrders = createPastOrders(shop)
  const runs = historyTable(database, effects.now)
  const isRun = (id: DocumentId) => sql`${runs.at('id')} = ${id}`
  const isUnderWay = sql`${runs.at('underWay')} = ${underWay}`
  const find = async (condition: SQL) => (await runs.read(condition))?.run

  /** Undefined when the run is in none of the states in `from`. */
  async function move(
    id: DocumentId,
    from: HistoryState[],
    values: HistoryValues & { state: HistoryState },
  ): Promise<HistoryRun | undefined> {
    const condition = sql`${isRun(id)} and ${inArray(runs.at('state'), from)}`
    const isMoved = await runs.change(values, condition)
    return isMoved ? find(isRun(id)) : undefined
  }

  return {
    countOrders: (period: HistoryPeriod) => pastOrders.count(period),

    /** Begins a run. When another one is under way, returns that one with `isNew: false`. */
    async start(
      { from, to }: HistoryPeriod,
      { startedBy }: { startedBy: string | undefined },
    ): Promise<{ run: HistoryRun; isNew: boolean }> {
      const key = effects.uuid()
      const moment = effects.now().toISOString()
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
      // The other run has ended in the meantime.
      if (other === undefined) return this.start({ from, to }, { startedBy })
      return { run: other, isNew: false }
    },

    // These three resolve to the changed run, or to undefined when its state does not allow the change.

    pause: (id: DocumentId) => move(id, ['counting', 'running'], { state: 'paused' }),

    /** A failed run can go on only while no other run is under way. */
    async resume(id: DocumentId): Promise<HistoryRun | undefined> {
      const stored = await runs.read(isRun(id))
      if (stored === undefined) return undefined
      const { of, at, id: lastId, known } = stored.cursor
      try {
        return await move(id, ['paused', 'failed'], {
          state: stored.run.total === undefined ? 'counting' : 'running',
          underWay,
          lastError: null,
          cursor: JSON.stringify({ of, at, id: lastId, known }),
        })
      } catch (error) {
        // The database refuses a second run that is under way.
        const other = await find(isUnderWay)
        if (other === undefined || other.id === id) throw error
        return undefined
      }
    },

    /** Events that are in the queue already are still sent. */
    cancel: (id: DocumentId) =>
      move(id, ['counting', 'running', 'paused', 'failed'], {
        state: 'cancelled',
        underWay: null,
        endedAt: effects.now().toISOString(),
      }),

    latest: () => find(sql`true`),

    find: (id: DocumentId) => find(isRun(id)),
  }
}

export type Histories = ReturnType<typeof createHistories>

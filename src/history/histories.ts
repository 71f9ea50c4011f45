import { randomUUID } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import type { DocumentId } from '../commerce/order.js'
import type { Histories, HistoryRun, HistoryState } from './history-run.js'
import type { Database } from '../store/payload/database.js'
import { historyTable, placeText } from './history-table.js'
import type { PastOrders } from './past-orders.js'

export interface HistoriesParts {
  database: Database
  pastOrders: Pick<PastOrders, 'count'>
  now: () => Date
}

/** Of the one run that is under way. */
const underWay = 'yes'

/**
 * The runs in the collection `marketing-histories`.
 *
 * @throws {TypeError} when the database lacks the collection.
 */
export function createHistories({ database, pastOrders, now }: HistoriesParts): Histories {
  const runs = historyTable(database)
  const { table, at } = runs
  const isRun = (id: DocumentId) => sql`${at.id} = ${id}`

  /** Moves a run on from one of some states; undefined when it is in none of them. */
  async function move(
    id: DocumentId,
    from: readonly HistoryState[],
    values: Parameters<typeof runs.change>[0] & { state: HistoryState },
  ): Promise<HistoryRun | undefined> {
    const isMoved = await runs.change(
      { ...values, updatedAt: now().toISOString() },
      sql`${isRun(id)} and ${isAmong(at.state, from)}`,
    )
    return isMoved ? runs.read(isRun(id)) : undefined
  }

  return {
    countOrders: (period) => pastOrders.count(period),

    async start({ from, to }, { startedBy }) {
      const key = randomUUID()
      const moment = now().toISOString()
      await database.insertIgnoring(table, {
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
      const own = await runs.read(sql`${at.key} = ${key}`)
      if (own !== undefined) return { run: own, isNew: true }
      const other = await runs.read(sql`${at.underWay} = ${underWay}`)
      // The other one ended in between.
      return other === undefined
        ? this.start({ from, to }, { startedBy })
        : { run: other, isNew: false }
    },

    pause: (id) => move(id, ['counting', 'running'], { state: 'paused' }),

    async resume(id) {
      const run = await runs.read(isRun(id))
      if (run === undefined) return undefined
      const state = run.total === undefined ? 'counting' : 'running'
      const { cursor: position, known } = run.place
      const cursor = placeText({
        ...(position && { cursor: position }),
        ...(known !== undefined && { known }),
      })
      try {
        return await move(id, ['paused', 'failed'], { state, underWay, lastError: null, cursor })
      } catch (error) {
        // Two under way are refused by the database.
        const other = await runs.read(sql`${at.underWay} = ${underWay}`)
        if (other === undefined || other.id === id) throw error
        return undefined
      }
    },

    cancel: (id) =>
      move(id, ['counting', 'running', 'paused', 'failed'], {
        state: 'cancelled',
        underWay: null,
        endedAt: now().toISOString(),
      }),

    latest: () => runs.read(sql`true`),
    find: (id) => runs.read(isRun(id)),
  }
}

/** One by one, as PostgreSQL has a type of its own for the states. */
const isAmong = (
  of: ReturnType<typeof historyTable>['at']['state'],
  states: readonly string[],
): SQL =>
  sql`${of} in (${sql.join(
    states.map((state) => sql`${state}`),
    sql`, `,
  )})`

import { sql, type SQL } from 'drizzle-orm'
import type { NewSend } from '../delivery/send.js'
import { sendTable } from '../delivery/send-table.js'
import type { Database } from '../store/payload/database.js'
import { historyTable, type HistoryValues, type Place, type StoredRun } from './history-table.js'
import { addReasons } from './passed-over.js'
import type { PastOrders } from './past-orders.js'
import { pastSends, type PastSendsParts } from './past-sends.js'

export interface HistoryWorkParts extends PastSendsParts {
  database: Database
  pastOrders: PastOrders
  outbox: { store(sends: NewSend[]): Promise<void> }
  now: () => Date
  /** Orders whose events are stored together. */
  ordersAtOnce?: number
}

/** Some hundred events: a statement that is long enough to be worth its while, and no longer. */
const defaultOrdersAtOnce = 100

/**
 * What a worker does for the history: it walks the orders of a run. A page's sends are stored before its
 * progress is: a kill in between only repeats the page, whose keys leave out what is stored.
 *
 * @throws {TypeError} when the database lacks the collections.
 */
export function createHistoryWork(parts: HistoryWorkParts) {
  const { database, pastOrders, outbox, now, ordersAtOnce = defaultOrdersAtOnce } = parts
  const runs = historyTable(database, now)
  const { at } = runs
  const { bare, table: sends } = sendTable(database)
  const isAtWork = sql`${at('state')} in ('counting', 'running')`
  const isStill = ({ run }: StoredRun) => sql`${at('id')} = ${run.id} and ${isAtWork}`

  /** False when somebody has stopped the run since it was read, or moved it on. */
  const moveOn = (stored: StoredRun, values: HistoryValues): Promise<boolean> =>
    runs.change(
      values,
      sql`${isStill(stored)} and coalesce(${at('cursor')}, '') = ${stored.placeText}`,
    )

  async function count(rows: SQL): Promise<number> {
    const [row] = await database.rows(sql`select count(*) as "count" from ${rows}`)
    return Number(row?.count)
  }

  /** A page that is begun notes what was stored before, so that its events are counted once. */
  async function begin(stored: StoredRun, page: NewSend[]): Promise<StoredRun | undefined> {
    if (stored.place.known !== undefined) return stored
    const keys = page.map(({ key }) => key)
    const known = await count(sql`${sends} where ${database.isOneOf(bare.key, keys)}`)
    const place = { ...stored.place, known }
    const placeText = JSON.stringify(place)
    return (await moveOn(stored, { cursor: placeText }))
      ? { ...stored, place, placeText }
      : undefined
  }

  return {
    /** The run that is under way. */
    current: () => runs.read(isAtWork),

    /** One step: the orders are counted, or a page of them is stored. */
    async step(stored: StoredRun): Promise<void> {
      const { run, place } = stored
      if (run.state === 'counting') {
        const total = await pastOrders.count(run)
        await moveOn(stored, { total, state: 'running', cursor: null })
        return
      }
      const page = await pastOrders.page(run, place, ordersAtOnce)
      const last = page.at(-1)
      if (last === undefined) {
        await moveOn(stored, { state: 'done', underWay: null, endedAt: now().toISOString() })
        return
      }
      const composed = await pastSends(
        page.map(({ id }) => id),
        parts,
      )
      const begun = await begin(stored, composed.sends)
      if (begun === undefined) return
      if (composed.sends.length > 0) await outbox.store(composed.sends)
      const next: Place = { at: last.at.toISOString(), id: last.id }
      await moveOn(begun, {
        cursor: JSON.stringify(next),
        done: run.done + page.length,
        events: run.events + composed.sends.length - (begun.place.known ?? 0),
        passedOver: run.passedOver + composed.passedOver.length,
        passedOverFor: JSON.stringify(addReasons(run.passedOverFor, composed.passedOver)),
      })
    },

    /** Notes that a step failed, and when it is tried again. */
    async putOff(stored: StoredRun, next: Required<Pick<Place, 'failures' | 'retryAt'>>) {
      const { place } = (await runs.read(isStill(stored))) ?? stored
      await runs.change({ cursor: JSON.stringify({ ...place, ...next }) }, isStill(stored))
    },

    /** Has the run fail, for the merchant to see; it can be resumed. */
    async giveUp(stored: StoredRun): Promise<void> {
      const values = { state: 'failed', underWay: null, lastError: 'historyGivenUp' }
      await runs.change(values, isStill(stored))
    },

    /** Events that wait in the queue, of whatever kind; counted up to a number. */
    waitingEvents: (countUpTo: number): Promise<number> =>
      count(sql`(select 1 from ${sends} where ${bare.kind} = 'past-event'
        and ${bare.state} = 'queued' limit ${countUpTo}) as "line"`),
  }
}

export type HistoryWork = ReturnType<typeof createHistoryWork>

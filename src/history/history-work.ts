import { sql } from 'drizzle-orm'
import type { NewSend } from '../delivery/send.js'
import { bareName, type Database } from '../store/payload/database.js'
import { sendTable } from '../delivery/send-table.js'
import { historyTable, placeText, type HistoryTable, type StoredRun } from './history-table.js'
import type { ComposePage } from './history-page.js'
import { addCounts } from './passed-over.js'
import type { PastOrders } from './past-orders.js'

export interface HistoryWorkParts {
  database: Database
  pastOrders: PastOrders
  composePage: ComposePage
  outbox: { store(sends: NewSend[]): Promise<void> }
  now: () => Date
  /** Orders whose events are stored together. */
  ordersAtOnce?: number
}

/** What a worker does for the history. */
export interface HistoryWork {
  /** The run that is under way. */
  current(): Promise<StoredRun | undefined>
  /** One step: the orders are counted, or a page of them is stored. */
  step(run: StoredRun): Promise<void>
  /** Notes that a step failed, and when it is tried again. */
  putOff(run: StoredRun, next: { failures: number; retryAt: Date }): Promise<void>
  /** Has the run fail, for the merchant to see; it can be resumed. */
  giveUp(run: StoredRun): Promise<void>
  /** Events that wait in the queue, of whatever kind; counted up to a number. */
  waitingEvents(countUpTo: number): Promise<number>
}

/** Some hundred events: a statement that is long enough to be worth its while, and no longer. */
const defaultOrdersAtOnce = 100

/**
 * Walks the orders of a run. A page's sends are stored before its progress is: a kill in between only
 * repeats the page, whose keys leave out what is stored.
 *
 * @throws {TypeError} when the database lacks the collections.
 */
export function createHistoryWork(parts: HistoryWorkParts): HistoryWork {
  const { database, pastOrders, composePage, outbox, now } = parts
  const { ordersAtOnce = defaultOrdersAtOnce } = parts
  const runs = historyTable(database)
  const { bare, table: sends } = sendTable(database)
  const { at } = runs
  const isAtWork = sql`${at.state} in ('counting', 'running')`

  /** False when somebody has stopped the run since it was read, or moved it on. */
  const change = (run: StoredRun, values: Parameters<HistoryTable['change']>[0]) =>
    runs.change(
      { ...values, updatedAt: now().toISOString() },
      sql`${at.id} = ${run.id} and ${isAtWork} and coalesce(${at.cursor}, '') = ${run.placeText ?? ''}`,
    )

  async function countStored(page: readonly NewSend[]): Promise<number> {
    const keys = page.map(({ key }) => key)
    const [row] = await database.rows(
      sql`select count(*) as "count" from ${sends} where ${database.isOneOf(bare.key, keys)}`,
    )
    return Number(row?.count)
  }

  /** A page that is begun notes what was stored before, so that its events are counted once. */
  async function begin(run: StoredRun, page: readonly NewSend[]): Promise<StoredRun | undefined> {
    if (run.place.known !== undefined) return run
    const place = { ...run.place, known: await countStored(page) }
    const begun = { ...run, place, placeText: placeText(place) }
    return (await change(run, { cursor: begun.placeText })) ? begun : undefined
  }

  return {
    current: () => runs.read(isAtWork),

    async step(run) {
      if (run.state === 'counting') {
        const total = await pastOrders.count(run)
        await change(run, { total, state: 'running', cursor: null })
        return
      }
      const page = await pastOrders.page(run, { cursor: run.place.cursor, limit: ordersAtOnce })
      const last = page.at(-1)
      if (last === undefined) {
        await change(run, { state: 'done', underWay: null, endedAt: now().toISOString() })
        return
      }
      const composed = await composePage(page.map(({ id }) => id))
      const begun = await begin(run, composed.sends)
      if (begun === undefined) return
      if (composed.sends.length > 0) await outbox.store(composed.sends)
      const stored = composed.sends.length - (begun.place.known ?? 0)
      await change(begun, {
        cursor: placeText({ cursor: last }),
        done: sql`${bareName(at.done)} + ${page.length}`,
        passedOver: sql`${bareName(at.passedOver)} + ${composed.passedOver}`,
        passedOverFor: JSON.stringify(addCounts(run.passedOverFor, composed.passedOverFor)),
        events: sql`${bareName(at.events)} + ${stored}`,
      })
    },

    async putOff(run, next) {
      const { place } = (await runs.read(sql`${at.id} = ${run.id}`)) ?? run
      const cursor = placeText({ ...place, ...next })
      await runs.change({ cursor }, sql`${at.id} = ${run.id} and ${isAtWork}`)
    },

    async giveUp(run) {
      const values = { state: 'failed', underWay: null, lastError: 'historyGivenUp' }
      await runs.change(values, sql`${at.id} = ${run.id} and ${isAtWork}`)
    },

    async waitingEvents(countUpTo) {
      const [row] = await database.rows(sql`select count(*) as "count" from (
        select 1 from ${sends} where ${bare.kind} = 'past-event' and ${bare.state} = 'queued'
        limit ${countUpTo}) as "line"`)
      return Number(row?.count)
    },
  }
}

import { sql, type SQL } from 'drizzle-orm'
import type { NewSend } from '../delivery/send.js'
import { sendTable } from '../delivery/send-table.js'
import { type Database, column } from '../database/database.js'
import { historyTable, type HistoryValues, type Cursor, type StoredRun } from './history-table.js'
import { addReasons } from './run-progress.js'
import { pastSends, type PastSendsParts } from './past-sends.js'
import { changedRows, type Changed } from '../feeds/changed-rows.js'
import { reportedCondition } from '../orders/order-reader.js'
import { momentsOf, type HistoryPeriod } from './period.js'

export interface HistoryParts extends PastSendsParts {
  database: Database
  ordersSlug: string
  /** The timezone in which a period's days begin, as an IANA name. */
  timezone: string
  outbox: { store(sends: NewSend[]): Promise<void> }
  now: () => Date
  /** How many orders make a page, whose events are stored together. Default 100. */
  ordersAtOnce?: number
}

/** Their few hundred events make a statement that is neither too short nor too long. */
const defaultOrdersAtOnce = 100

/**
 * The steps of a run: it walks the orders of its period. The sends of a page are stored before its
 * progress. After a crash in between, the page is repeated, and its keys leave out what is stored.
 *
 * @throws {TypeError} when the database lacks the collections.
 */
export function createHistoryWork(parts: HistoryParts) {
  const { database, outbox, now, ordersAtOnce = defaultOrdersAtOnce } = parts
  const pastOrders = createPastOrders(parts)
  const runs = historyTable(database, now)
  const { at } = runs
  const { bare, table: sends } = sendTable(database)
  const isAtWork = sql`${at('state')} in ('counting', 'running')`
  const isStill = ({ run }: StoredRun) => sql`${at('id')} = ${run.id} and ${isAtWork}`

  /** False when the run was stopped, or moved on by another process, since it was read. */
  const moveOn = (stored: StoredRun, values: HistoryValues): Promise<boolean> =>
    runs.change(
      values,
      sql`${isStill(stored)} and coalesce(${at('cursor')}, '') = ${stored.cursorText}`,
    )

  /** Notes how many events of the page are stored already, so that each event is counted once. */
  async function begin(stored: StoredRun, page: NewSend[]): Promise<StoredRun | undefined> {
    if (stored.cursor.known !== undefined) return stored
    const keys = page.map(({ key }) => key)
    const known = await count(database, sql`${sends} where ${database.isOneOf(bare.key, keys)}`)
    const cursor = { ...stored.cursor, known }
    const cursorText = JSON.stringify(cursor)
    return (await moveOn(stored, { cursor: cursorText }))
      ? { ...stored, cursor, cursorText }
      : undefined
  }

  return {
    current: () => runs.read(isAtWork),

    /** Counts the orders of the run, or stores the events of its next page. */
    async step(stored: StoredRun): Promise<void> {
      const { run, cursor } = stored
      if (run.state === 'counting') {
        const total = await pastOrders.count(run)
        await moveOn(stored, { total, state: 'running', cursor: null })
        return
      }
      // When the orders were read. What is stored with this moment goes when somebody is erased meanwhile.
      const acceptedAt = now()
      const page = await pastOrders.page(run, cursor, ordersAtOnce)
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
      if (composed.sends.length > 0) {
        await outbox.store(composed.sends.map((send) => ({ ...send, acceptedAt })))
      }
      const next: Cursor = { at: last.at.toISOString(), id: last.id }
      await moveOn(begun, {
        cursor: JSON.stringify(next),
        done: run.done + page.length,
        events: run.events + composed.sends.length - (begun.cursor.known ?? 0),
        passedOver: run.passedOver + composed.passedOver.length,
        passedOverFor: JSON.stringify(addReasons(run.passedOverFor, composed.passedOver)),
      })
    },

    /** Notes that a step failed, and when it is tried again. */
    async putOff(stored: StoredRun, next: Required<Pick<Cursor, 'failures' | 'retryAt'>>) {
      const { cursor } = (await runs.read(isStill(stored))) ?? stored
      await runs.change({ cursor: JSON.stringify({ ...cursor, ...next }) }, isStill(stored))
    },

    /** Marks the run as failed, which the merchant sees. It can be resumed. */
    async giveUp(stored: StoredRun): Promise<void> {
      const values = { state: 'failed', underWay: null, lastError: 'historyGivenUp' }
      await runs.change(values, isStill(stored))
    },

    /** The number of the history's events that wait in the queue; never more than `countUpTo`. */
    waitingEvents: (countUpTo: number): Promise<number> =>
      count(
        database,
        sql`(select 1 from ${sends} where ${bare.kind} = 'past-event'
        and ${bare.state} = 'queued' limit ${countUpTo}) as "waiting"`,
      ),
  }
}

export type HistoryWork = ReturnType<typeof createHistoryWork>

/** Finds the orders of a period. */
export function createPastOrders({
  database,
  ordersSlug,
  timezone,
}: Pick<HistoryParts, 'database' | 'ordersSlug' | 'timezone'>) {
  const table = database.table(ordersSlug)
  const at = column(table, 'createdAt')
  const condition = reportedCondition(table)

  return {
    count(period: HistoryPeriod): Promise<number> {
      const { begin, end } = momentsOf(period, timezone)
      const isInPeriod = sql`${at} >= ${begin.toISOString()} and ${at} < ${end.toISOString()}`
      return count(database, sql`${table} where ${isInPeriod} and ${condition}`)
    },

    /** The next orders after a cursor; an empty cursor is the beginning. */
    page(period: HistoryPeriod, { at: moment, id }: Cursor, limit: number): Promise<Changed[]> {
      const { begin, end } = momentsOf(period, timezone)
      // `changedRows` excludes its begin and includes its end, and the databases store milliseconds.
      const from = { at: new Date(moment ?? begin.getTime() - 1), id }
      const until = new Date(end.getTime() - 1)
      return changedRows(database, { table, at, condition }, { from, until, limit })
    },
  }
}

async function count(database: Database, rows: SQL): Promise<number> {
  const [row] = await database.rows(sql`select count(*) as "count" from ${rows}`)
  return Number(row?.count)
}

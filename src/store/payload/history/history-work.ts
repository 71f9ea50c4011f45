import { randomBytes } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import { createLocalReq, type BasePayload } from 'payload'
import type { NewSend } from '../../../delivery/outbox.js'
import { addCounts } from '../../../history/passed-over.js'
import type { HistoryClaim, HistoryWork } from '../../../history/history-run.js'
import type { Position } from '../../past-changes.js'
import { bareName, type Connection, type Database, type Row } from '../database.js'
import { inTransaction } from '../in-transaction.js'
import { insertQuery } from '../outbox/store-sends.js'
import { sendTable } from '../outbox/send-table.js'
import { cursorText, historyTable, type StoredRun } from '../../../history/history-table.js'
import type { PastOrders } from '../../../history/past-orders.js'
import type { PageTeller } from '../../../history/history-page.js'

export interface HistoryWorkParts {
  payload: BasePayload
  database: Database
  pastOrders: PastOrders
  tellPage: PageTeller
  now: () => Date
  /** Orders whose events are stored together. */
  ordersAtOnce?: number
  /** Milliseconds that a worker which was lost holds the run up. */
  leaseMs?: number
}

/** Some hundred events: a statement that is long enough to be worth its while, and no longer. */
const defaultOrdersAtOnce = 100

/** Much longer than a page takes. */
const defaultLeaseMs = 30_000

/** What one step adds to a run. */
interface Progress {
  sends: readonly NewSend[]
  /** Orders that were looked at, and of these those that nothing is told of. */
  done: number
  passedOver: number
  values: Row
}

/** @throws {TypeError} when the database lacks the collections. */
export function createHistoryWork(parts: HistoryWorkParts): HistoryWork {
  const { payload, database, pastOrders, tellPage, now } = parts
  const { ordersAtOnce = defaultOrdersAtOnce, leaseMs = defaultLeaseMs } = parts
  const runs = historyTable(database)
  const sends = sendTable(database)
  const { table, at } = runs
  const isAtWork = sql`${at.state} in ('counting', 'running')`
  const isOwn = ({ id, token }: HistoryClaim) =>
    sql`${at.id} = ${id} and ${at.token} = ${token} and ${isAtWork}`
  const lease = () => new Date(now().getTime() + leaseMs).toISOString()

  /** How far a run has come, with what that stored. */
  const progressed = ({ done, passedOver, values }: Progress, stored: SQL): Row => ({
    ...values,
    done: sql`${bareName(at.done)} + ${done}`,
    passedOver: sql`${bareName(at.passedOver)} + ${passedOver}`,
    events: sql`${bareName(at.events)} + ${stored}`,
    leaseUntil: lease(),
    updatedAt: now().toISOString(),
  })

  async function writeInTransaction(claim: HistoryClaim, progress: Progress): Promise<boolean> {
    const req = await createLocalReq({}, payload)
    return inTransaction(database, req, async (own) => {
      const connection = await database.within(own)
      const isStanding = await lockRun(claim, connection)
      if (isStanding) {
        const stored =
          progress.sends.length === 0
            ? []
            : await connection.rows(insertQuery(sends, progress.sends))
        await connection.update(table, progressed(progress, sql`${stored.length}`), isOwn(claim))
      }
      return isStanding
    })
  }

  /** Whoever stops the run now waits until the page is written. */
  async function lockRun(claim: HistoryClaim, connection: Connection): Promise<boolean> {
    const rows = await connection.rows(
      sql`select ${at.id} as "id" from ${table} where ${isOwn(claim)} for update`,
    )
    return rows.length > 0
  }

  async function writeInBatch(claim: HistoryClaim, progress: Progress): Promise<boolean> {
    const isStanding = async () => (await runs.read(isOwn(claim))) !== undefined
    const hasSends = progress.sends.length > 0
    try {
      await database.batch([
        // Changes nothing, but makes the batch a writing transaction from its first statement on.
        database.update(table, { done: 0 }, sql`false`),
        // A text that is no JSON fails, and with it the whole batch: the claim stands no more.
        database.run(sql`select json(case when exists (select 1 from ${table} where ${isOwn(claim)})
          then '[]' else 'lost' end)`),
        ...(hasSends ? [database.run(insertQuery(sends, progress.sends))] : []),
        // The rows that the statement before has stored.
        database.update(
          table,
          progressed(progress, hasSends ? sql`changes()` : sql`0`),
          isOwn(claim),
        ),
      ])
      return true
    } catch (error) {
      if (await isStanding()) throw error
      return false
    }
  }

  async function change(claim: HistoryClaim, values: Row): Promise<void> {
    await database.update(table, { ...values, updatedAt: now().toISOString() }, isOwn(claim))
  }

  const write = database.isSqlite ? writeInBatch : writeInTransaction

  const pageOf = async (run: StoredRun): Promise<Position[]> =>
    pastOrders.page(run, { cursor: run.cursor, limit: ordersAtOnce })

  return {
    async claim() {
      const moment = now().toISOString()
      const isFree = sql`${isAtWork} and (${at.token} is null or ${at.leaseUntil} <= ${moment})`
      // Looked for first: a statement that writes takes SQLite from everybody else.
      const free = await runs.read(isFree)
      if (free === undefined) return undefined
      const token = randomBytes(12).toString('hex')
      const values = { token, leaseUntil: lease(), updatedAt: moment }
      await database.update(table, values, sql`${at.id} = ${free.id} and ${isFree}`)
      const claimed = { id: free.id, token, failures: free.failures }
      return (await runs.read(isOwn(claimed))) === undefined ? undefined : claimed
    },

    async step(claim) {
      const run = await runs.read(isOwn(claim))
      if (run === undefined) return false
      const nothing = { sends: [], done: 0, passedOver: 0 }
      if (run.state === 'counting') {
        const total = await pastOrders.count(run)
        return write(claim, { ...nothing, values: { total, state: 'running', cursor: null } })
      }
      const page = await pageOf(run)
      const last = page.at(-1)
      if (last === undefined) {
        const endedAt = now().toISOString()
        const values = { state: 'done', underWay: null, token: null, endedAt }
        await write(claim, { ...nothing, values })
        return false
      }
      const told = await tellPage(page.flatMap(({ id }) => id ?? []))
      const passedOverFor = JSON.stringify(addCounts(run.passedOverFor, told.passedOverFor))
      const values = { cursor: cursorText(last), passedOverFor }
      return write(claim, { ...told, done: page.length, values })
    },

    async putOff(claim, { failures, at: next }) {
      const run = await runs.read(isOwn(claim))
      await change(claim, {
        cursor: cursorText(run?.cursor, failures),
        leaseUntil: next.toISOString(),
      })
    },

    giveUp: (claim) =>
      change(claim, { state: 'failed', underWay: null, lastError: 'historyGivenUp', token: null }),

    async waitingEvents(countUpTo) {
      const { bare } = sends
      const [row] = await database.rows(sql`select count(*) as "count" from (
        select 1 from ${sends.table} where ${bare.lane} = 'events' and ${bare.state} = 'queued'
        limit ${countUpTo}) as "line"`)
      return Number(row?.count)
    },
  }
}

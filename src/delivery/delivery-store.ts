import { sql, type SQL } from 'drizzle-orm'
import type { Message } from '../marketing/message.js'
import type { Database, Row } from '../store/payload/database.js'
import { jsonRows, parsedJson, type JsonShape } from '../store/payload/json-rows.js'
import type { CallLogs } from './call-log.js'
import type { Lease } from './lease.js'
import { knownForMs, sendKinds, type SendKind, type Settlement, type WaitingSend } from './send.js'
import { sendTable, type SendColumns, type SendTable } from './send-table.js'
import { bytesOf } from './store-sends.js'

/** A send that was in a call, or in an import, when the process before was lost. */
export interface InFlightSend extends WaitingSend {
  call: string | undefined
  crashes: number
  job: string | undefined
}

/** How far the sends of each kind have been read: up to this id, and so many more may be read. */
export type ReadFrom = Readonly<Record<SendKind, { behind: number; limit: number }>>

/** Another process delivers now: what this one knows is worth nothing any more. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process has taken over the delivery.')
  }
}

/** What the deliverer reads and writes of the sends. A write changes nothing once the lease is lost. */
export function createDeliveryStore(database: Database) {
  const sends = sendTable(database)
  const { table, bare, as, checked, choice, time, isAmong } = sends
  const s = as('s')

  const readSends = async (from: SQL, now: Date): Promise<WaitingSend[]> => {
    const rows = await database.rows(sql`select ${waitingColumns(sends, s, now)} from ${from}`)
    return rows.map(waitingSend)
  }

  return {
    /** The next sends of each kind that wait, in the order of their ids. */
    async readWaiting(from: ReadFrom, now: Date): Promise<WaitingSend[]> {
      const parts = sendKinds
        .filter((kind) => from[kind].limit > 0)
        .map(
          (kind) => sql`select * from (select ${waitingColumns(sends, s, now)} from ${table} as "s"
            where ${isWaiting(s, kind)} and ${s.id} > ${from[kind].behind}
            order by ${s.id} limit ${from[kind].limit}) as ${sql.identifier(kind)}`,
        )
      if (parts.length === 0) return []
      const rows = await database.rows(sql.join(parts, sql` union all `))
      return rows.map(waitingSend).sort((one, other) => one.id - other.id)
    },

    /** Ids of those that wait among what was read already: some were resent, or stored late. */
    async readWaitingIds(upTo: ReadFrom): Promise<number[]> {
      const parts = sendKinds.map(
        (kind) => sql`select ${s.id} as "id" from ${table} as "s"
          where ${isWaiting(s, kind)} and ${s.id} <= ${upTo[kind].behind}`,
      )
      const rows = await database.rows(sql.join(parts, sql` union all `))
      return rows.map(({ id }) => Number(id))
    },

    readByIds: (ids: readonly number[], now: Date): Promise<WaitingSend[]> =>
      readSends(
        sql`${table} as "s" where ${isAmong(s.id, ids)} and ${checked(sql`${s.state} = 'queued'`)}
          order by ${s.id}`,
        now,
      ),

    /** What the process before had in its hands. */
    async readInFlight(now: Date): Promise<InFlightSend[]> {
      const kinds = sql.raw(sendKinds.map((kind) => `'${kind}'`).join(', '))
      const rows = await database.rows(sql`select ${waitingColumns(sends, s, now)},
          ${s.crashes} as "crashes", ${s.job} as "job"
        from ${table} as "s" where ${s.kind} in (${kinds}) and ${s.state} = 'sending' order by ${s.id}`)
      return rows.map((row) => ({
        ...waitingSend(row),
        call: textOf(row.call),
        crashes: Number(row.crashes),
        job: textOf(row.job),
      }))
    },

    /**
     * Marks which sends are in which call, before it is made. Left out is one that is gone, and one
     * that something earlier of its profile is in the way of. Resolves to the messages by id.
     *
     * @throws {LeaseLost}
     */
    async begin(
      calls: readonly { name: string; ids: readonly number[] }[],
      lease: Lease,
      logs: CallLogs,
    ): Promise<Map<number, Message>> {
      const rows = calls.flatMap(({ name, ids }) => ids.map((send) => ({ send, call: name })))
      const begun = await beginCalls(sends, { rows, lease, logs })
      // Not with the update: a process that is paused while an answer of many bytes is under way
      // would keep PostgreSQL from committing.
      const found = await database.rows(
        sql`select ${bare.id} as "id", ${bare.message} as "message" from ${table} where ${isAmong(bare.id, begun)}`,
      )
      return new Map(found.map(({ id, message }) => [Number(id), parsedJson(message) as Message]))
    },

    /** What the sends of these profiles say that wait and were in a call, in the order of their ids. */
    async readRepeats(profiles: readonly string[]): Promise<Message[]> {
      const rows = await database.rows(sql`select ${s.message} as "message" from ${table} as "s"
        where ${database.isOneOf(s.profile, profiles)} and ${s.state} = 'queued'
          and ${checked(sql`${s.kind} <> 'past-event' and (${s.attempts} > 0 or ${s.call} is not null)`)}
        order by ${s.id}`)
      return rows.map(({ message }) => parsedJson(message) as Message)
    },

    /** Writes what became of sends. */
    async settle(settlements: readonly Settlement[], lease: Lease, now: Date): Promise<void> {
      if (settlements.length === 0) return
      const rows = jsonRows(database, settlementShape, settlements.map(settlementRow))
      await database.run(
        sql`update ${table} as "s" set
          ${bare.state} = ${choice('state', sql`"r"."to"`)}, ${bare.nextAttemptAt} = "r"."nextAttemptAt",
          ${bare.call} = case when "r"."unanswered" = 1 then ${s.call} end, ${bare.job} = "r"."job",
          ${bare.sentAt} = case when "r"."to" in ('sent', 'skipped') then ${time(now)} end,
          ${bare.attempts} = coalesce("r"."attempts", ${s.attempts}),
          ${bare.batchSize} = case when "r"."to" = 'queued' then "r"."batchSize" else ${s.batchSize} end,
          ${bare.crashes} = coalesce("r"."crashes", ${s.crashes}),
          ${bare.message} = coalesce("r"."message", ${s.message}),
          ${bare.bytes} = coalesce("r"."bytes", ${s.bytes}),
          ${bare.errorCode} = "r"."code", ${bare.errorDetail} = "r"."detail",
          ${bare.errorStatus} = "r"."status", ${bare.errorPointer} = "r"."pointer"
        from ${rows} as "r"
        where ${s.id} = "r"."id" and ${checked(sql`${s.state} = 'sending'`)} and ${lease.stands}`,
      )
    },

    /** Sends of these kinds that wait for a later moment may be tried at once. */
    async release(kinds: readonly SendKind[], lease: Lease, now: Date): Promise<void> {
      await database.run(
        sql`update ${table} set ${bare.nextAttemptAt} = ${time(now)}
          where (${sql.join(
            kinds.map((kind) => sql`(${isWaiting(bare, kind)})`),
            sql` or `,
          )}) and ${bare.nextAttemptAt} > ${time(now)} and ${lease.stands}`,
      )
    },

    /** Import jobs whose errors have not been asked for. */
    async readOpenJobs(limit: number): Promise<string[]> {
      // Skips from job to job in the index: each may have thousands of sends.
      const rows = await database.rows(sql`with recursive "jobs"("job") as (
          select min(${bare.job}) from ${table}
          union all
          select (select min(${bare.job}) from ${table} where ${bare.job} > "jobs"."job") from "jobs"
          where "jobs"."job" is not null)
        select "job" from "jobs" where "job" is not null limit ${limit}`)
      return rows.map(({ job }) => String(job))
    },

    /** The sends of an import job. */
    async readJob(job: string): Promise<ImportedSend[]> {
      const rows = await database.rows(sql`select ${s.id} as "id", ${s.profile} as "profile",
          ${s.state} as "state" from ${table} as "s" where ${s.job} = ${job} order by ${s.id}`)
      return rows.map(({ id, profile, state }) => ({
        id: Number(id),
        profile: String(profile),
        isHeld: state === 'sending',
      }))
    },

    /** Ends the sends of a job in one write, so that a process that is lost leaves it open or closed. */
    async endJob(ends: readonly ImportEnd[], lease: Lease, now: Date): Promise<void> {
      if (ends.length === 0) return
      await database.run(
        sql`update ${table} as "s" set ${bare.job} = null, ${bare.state} = ${choice('state', sql`"r"."to"`)},
          ${bare.errorCode} = "r"."code", ${bare.errorDetail} = "r"."detail",
          ${bare.errorStatus} = "r"."status", ${bare.errorPointer} = "r"."pointer",
          ${bare.batchSize} = case when "r"."to" = 'queued' then 1 else ${s.batchSize} end,
          ${bare.nextAttemptAt} = case when "r"."to" = 'queued' then ${time(now)} end,
          ${bare.sentAt} = case when "r"."to" = 'sent' then coalesce(${s.sentAt}, ${time(now)}) end
        from ${jsonRows(database, endShape, ends)} as "r"
        where ${s.id} = "r"."id" and ${checked(sql`${s.state} in ('sending', 'sent')`)} and ${lease.stands}`,
      )
    },

    /** Imports that take too long keep nothing waiting any more; their errors are still asked for. */
    async letGo(ids: readonly number[], lease: Lease, now: Date): Promise<void> {
      await database.run(
        sql`update ${table} set ${bare.state} = ${choice('state', sql`'sent'`)}, ${bare.sentAt} = ${time(now)},
            ${bare.nextAttemptAt} = null
          where ${isAmong(bare.id, ids)} and ${checked(sql`${bare.state} = 'sending'`)} and ${lease.stands}`,
      )
    },

    /**
     * Deletes sends that were sent or skipped before a moment and whose job is not open, and failed ones
     * that were accepted before another, some at a time. Resolves to how many.
     */
    async prune(before: Date, failedBefore: Date): Promise<number> {
      const kinds = sql.raw(sendKinds.map((kind) => `'${kind}'`).join(', '))
      const isEnded = checked(sql`${s.state} in ('sent', 'skipped') and ${s.job} is null`)
      const old = [
        sql`${s.sentAt} < ${time(before)} and ${isEnded} order by ${s.sentAt}`,
        sql`${s.kind} in (${kinds}) and ${s.state} = 'failed' and ${s.acceptedAt} < ${time(failedBefore)}
          order by ${s.id}`,
      ]
      let count = 0
      for (const condition of old) {
        const found = await database.rows(sql`select ${s.id} as "id" from ${table} as "s"
          where ${condition} limit ${deletedAtOnce - count}`)
        if (found.length === 0) continue
        const ids = found.map(({ id }) => Number(id))
        const isOver = checked(sql`${bare.state} in ('sent', 'skipped', 'failed')`)
        const deleted = await database.rows(sql`delete from ${table} where ${isAmong(bare.id, ids)}
          and ${isOver} returning ${bare.id} as "id"`)
        count += deleted.length
      }
      return count
    },
  }
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>

/** Small enough that nobody waits long for the database. */
const deletedAtOnce = 1000

/** A send in an import job. */
export interface ImportedSend {
  id: number
  profile: string
  /** Whether the later sends of its profile still wait for it. */
  isHeld: boolean
}

/** What becomes of a send when its import job is over. */
export interface ImportEnd extends Row {
  id: number
  to: 'sent' | 'failed' | 'queued'
}

const endShape = {
  id: 'integer',
  to: 'text',
  code: 'text',
  detail: 'text',
  status: 'integer',
  pointer: 'text',
} satisfies JsonShape

const settlementShape = {
  ...endShape,
  job: 'text',
  nextAttemptAt: 'time',
  attempts: 'integer',
  batchSize: 'integer',
  crashes: 'integer',
  unanswered: 'integer',
  message: 'json',
  bytes: 'integer',
} satisfies JsonShape

function settlementRow(settlement: Settlement): Row {
  const { id, to, crashes } = settlement
  const error = 'error' in settlement ? settlement.error : undefined
  const common = { id, to, ...error, ...(crashes !== undefined && { crashes }) }
  switch (settlement.to) {
    case 'sent':
      return { ...common, ...(settlement.job !== undefined && { job: settlement.job }) }
    case 'sending':
      return { ...common, job: settlement.job, nextAttemptAt: settlement.until.toISOString() }
    case 'queued': {
      const { nextAttemptAt, attempts, batchSize, message, isUnanswered } = settlement
      return {
        ...common,
        nextAttemptAt: nextAttemptAt.toISOString(),
        attempts,
        ...(Number.isFinite(batchSize) && { batchSize }),
        ...(isUnanswered && { unanswered: 1 }),
        ...(message && { message, bytes: bytesOf(message) }),
      }
    }
    default:
      return common
  }
}

interface Begin {
  rows: { send: number; call: string }[]
  lease: Lease
  logs: CallLogs
}

/** Ids of the sends that are in their calls now. */
async function beginCalls(sends: SendTable, { rows, lease, logs }: Begin): Promise<number[]> {
  const { database, table, bare, as, checked, choice } = sends
  const [s, b] = [as('s'), as('b')]
  const wanted = jsonRows(database, { send: 'integer', call: 'text' }, rows)
  const ofLine = sql`${b.profile} = ${s.profile}
    and ${checked(sql`(${b.kind} = 'past-event') = (${s.kind} = 'past-event')`)}`
  const begin = (stands: SQL) => sql`update ${table} as "s" set
      ${bare.state} = ${choice('state', sql`'sending'`)}, ${bare.call} = "wanted"."call"
    from ${wanted} as "wanted"
    where ${s.id} = "wanted"."send" and ${checked(sql`${s.state} = 'queued'`)} and ${stands}
      and not exists (select 1 from ${table} as "b" where ${ofLine} and ${b.state} = 'sending')
      and not exists (select 1 from ${table} as "b" where ${ofLine} and ${b.state} = 'queued'
        and ${b.id} < ${s.id} and ${checked(sql`${b.id} not in (select "send" from ${wanted} as "w")`)})
    returning ${bare.id} as "id"`
  if (database.isSqlite) {
    const keep = database.run(lease.keepCalls(logs))
    const [kept, begun] = await database.batch([keep, database.run(begin(lease.stands))])
    if (!kept?.length) throw new LeaseLost()
    return begun?.map(({ id }) => Number(id)) ?? []
  }
  const found = await database.rows(sql`with "lease" as (${lease.keepCalls(logs)}),
    "begun" as (${begin(sql`exists (select 1 from "lease")`)})
    select "id", 0 as "lease" from "begun" union all select 0, 1 from "lease"`)
  if (!found.some((row) => Number(row.lease) === 1)) throw new LeaseLost()
  return found.filter((row) => Number(row.lease) === 0).map(({ id }) => Number(id))
}

const isWaiting = ({ state, kind }: SendColumns, of: SendKind): SQL =>
  sql`${kind} = ${sql.raw(`'${of}'`)} and ${state} = 'queued'`

/** The columns of a waiting send, from the alias `s`. */
function waitingColumns({ table, as, checked, time }: SendTable, s: SendColumns, now: Date): SQL {
  const p = as('p')
  const since = new Date(now.getTime() - knownForMs)
  const madeAt = sql`case when ${s.kind} = 'list-add' then (select max(${p.sentAt}) from ${table} as "p"
    where ${p.profile} = ${s.profile} and ${p.state} = 'sent'
      and ${checked(sql`${p.kind} in ('event', 'identify') and ${p.sentAt} > ${time(since)}`)}) end`
  return sql`${s.id} as "id", ${s.kind} as "kind", ${s.profile} as "profile", ${s.list} as "list",
    ${s.bytes} as "bytes", ${s.batchSize} as "batchSize", ${s.attempts} as "attempts",
    ${s.acceptedAt} as "acceptedAt", ${s.nextAttemptAt} as "nextAttemptAt", ${s.call} as "call",
    ${madeAt} as "madeAt"`
}

function waitingSend(row: Row): WaitingSend {
  return {
    id: Number(row.id),
    kind: row.kind as SendKind,
    profile: String(row.profile),
    list: textOf(row.list),
    bytes: Number(row.bytes),
    batchSize: row.batchSize === null ? Number.POSITIVE_INFINITY : Number(row.batchSize),
    attempts: Number(row.attempts),
    acceptedAt: new Date(String(row.acceptedAt)),
    dueAt: row.nextAttemptAt === null ? 0 : new Date(String(row.nextAttemptAt)).getTime(),
    isUnanswered: row.call !== null,
    knownUntil: row.madeAt === null ? 0 : new Date(String(row.madeAt)).getTime() + knownForMs,
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

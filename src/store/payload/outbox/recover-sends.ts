import { sql, type SQL } from 'drizzle-orm'
import { lostWorkersLimit, waitAfterLossMs } from '../../../delivery/outbox.js'
import { jsonRows } from './json-rows.js'
import { releaseForgotten, writeAndRelease } from './released-sends.js'
import { endedColumns, type SendColumns, type SendTable } from './send-table.js'

/** Sends that one look takes back; the next look is a moment later. */
const sendsAtOnce = 5000

const lostDetail = `The process that was sending it ended ${lostWorkersLimit} times more while it was in its hands alone.`

export async function recoverSends(sends: SendTable, now: Date): Promise<number> {
  const over = await readOver(sends, now)
  const imported = over.filter(({ isImported }) => isImported).map(({ id }) => id)
  const lost = over.filter(({ isImported }) => !isImported)
  const changed = (await letGo(sends, imported, now)) + (await takeBackLost(sends, lost, now))
  return changed + (await releaseForgotten(sends, now, sendsAtOnce))
}

/** A send whose lease is over. */
interface Over {
  id: number
  isImported: boolean
  /** Workers lost with it so far, where one more counts. */
  before: number | undefined
}

/**
 * The first worker that is lost with a send alone may have been lost to anything: the send is then
 * singled out, and from there on each counts.
 */
const isCounted = ({ alone, isolation }: SendColumns): SQL => sql`(${alone} and ${isolation} >= 3)`

const isOverdue = ({ state, leaseUntil }: SendColumns, now: Date, { time }: SendTable): SQL =>
  sql`${state} = 'sending' and ${leaseUntil} <= ${time(now)}`

async function readOver(sends: SendTable, now: Date): Promise<Over[]> {
  const s = sends.as('s')
  const rows = await sends.database.rows(sql`select ${s.id} as "id", ${s.job} as "job",
      case when ${isCounted(s)} then ${s.crashes} end as "before"
    from ${sends.table} as "s" where ${isOverdue(s, now, sends)} order by ${s.leaseUntil} limit ${sendsAtOnce}`)
  return rows.map(({ id, job, before }) => ({
    id: Number(id),
    isImported: job !== null,
    before: before === null ? undefined : Number(before),
  }))
}

/** Imports that take too long keep nothing waiting any more; their errors are still asked for. */
async function letGo(sends: SendTable, ids: readonly number[], now: Date): Promise<number> {
  if (ids.length === 0) return 0
  const { table, bare, as, checked, choice, time, isAmong } = sends
  const s = as('s')
  return writeAndRelease(sends, {
    ids,
    now,
    change: sql`update ${table} as "s" set ${bare.state} = ${choice('state', sql`'sent'`)},
        ${bare.sentAt} = ${time(now)}, ${bare.token} = null, ${bare.leaseUntil} = null
      where ${isAmong(s.id, ids)} and ${checked(sql`${isOverdue(s, now, sends)} and ${s.job} is not null`)}
      returning ${endedColumns(sends)}`,
  })
}

/** How far apart sends are tried that were singled out and lost together: one may be to blame. */
const apartMs = 2_000

/** Takes back what a worker did not settle within its lease. */
async function takeBackLost(sends: SendTable, lost: readonly Over[], now: Date): Promise<number> {
  if (lost.length === 0) return 0
  const { database, table, bare, as, checked, choice, time, isAmong } = sends
  const s = as('s')
  const isLost = isOverdue(s, now, sends)
  const isStillLost = checked(sql`${isLost} and ${s.job} is null`)
  const isCrash = isCounted(s)
  const ids = lost.map(({ id }) => id)
  // A worker that settles late may be holding them: whoever has the lock is right.
  const isMine = database.isSqlite
    ? isAmong(s.id, ids)
    : sql`${s.id} in (select ${s.id} from ${table} as "s" where ${isAmong(s.id, ids)} and ${isLost} for update skip locked)`
  const isOver = sql`${isCrash} and ${s.crashes} + 1 >= ${sql.raw(String(lostWorkersLimit))}`
  const counted = lost.filter(({ before }) => before !== undefined)
  const apart = jsonRows(
    database,
    { id: 'integer', at: 'time' },
    counted.map(({ id, before }, place) => ({
      id,
      at: new Date(
        now.getTime() + (waitAfterLossMs[before ?? 0] ?? 0) + place * apartMs,
      ).toISOString(),
    })),
  )
  const dueAt = sql`coalesce((select "apart"."at" from ${apart} as "apart" where "apart"."id" = ${s.id}), ${time(now)})`
  return writeAndRelease(sends, {
    ids,
    now,
    change: sql`update ${table} as "s" set
        ${bare.state} = ${choice('state', sql`case when ${isOver} then 'failed' else 'queued' end`)},
        ${bare.nextAttemptAt} = case when ${isOver} then null else ${dueAt} end,
        ${bare.errorCode} = case when ${isOver} then 'WORKER_LOST' else ${s.errorCode} end,
        ${bare.errorDetail} = case when ${isOver} then ${lostDetail} else ${s.errorDetail} end,
        ${bare.errorStatus} = case when ${isOver} then null else ${s.errorStatus} end,
        ${bare.errorPointer} = case when ${isOver} then null else ${s.errorPointer} end,
        ${bare.crashes} = case when ${isCrash} then ${s.crashes} + 1 else ${s.crashes} end,
        ${bare.isolation} = case when ${s.alone} or ${s.isolation} >= 3 then 3 else ${s.isolation} + 1 end,
        ${bare.token} = null, ${bare.leaseUntil} = null, ${bare.alone} = false
      where ${isMine} and ${isStillLost}
      returning ${endedColumns(sends)}`,
  })
}

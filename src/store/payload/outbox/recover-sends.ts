import { sql } from 'drizzle-orm'
import { lostWorkersLimit, waitAfterLossMs } from '../../../delivery/outbox.js'
import { jsonRows } from './json-rows.js'
import { releaseForgotten, writeAndRelease } from './released-sends.js'
import { endedColumns, type SendTable } from './send-table.js'

/** Sends that one look takes back; the next look is a moment later. */
const sendsAtOnce = 5000

const lostDetail = `The process that was sending it ended ${lostWorkersLimit} times while it was in its hands alone.`

export async function recoverSends(sends: SendTable, now: Date): Promise<number> {
  const lost = await takeBackLost(sends, now)
  return lost + (await releaseForgotten(sends, now, sendsAtOnce))
}

/** How far apart sends are tried that were singled out and lost together: one may be to blame. */
const apartMs = 2_000

/** Takes back what a worker did not settle within its lease. */
async function takeBackLost(sends: SendTable, now: Date): Promise<number> {
  const { database, table, bare, as, checked, choice, time, isAmong } = sends
  const s = as('s')
  const isLost = sql`${s.state} = 'sending' and ${s.leaseUntil} <= ${time(now)}`
  const isStillLost = checked(isLost)
  // The first worker that is lost with a send alone may have been lost to anything: the send is then
  // singled out, and from there on each counts.
  const isCounted = sql`(${s.alone} and ${s.isolation} >= 3)`
  const lost = await database.rows(sql`select ${s.id} as "id",
      case when ${isCounted} then ${s.crashes} end as "before"
    from ${table} as "s" where ${isLost} order by ${s.leaseUntil} limit ${sendsAtOnce}`)
  if (lost.length === 0) return 0

  const ids = lost.map(({ id }) => Number(id))
  // A worker that settles late may be holding them: whoever has the lock is right.
  const isMine = database.isSqlite
    ? isAmong(s.id, ids)
    : sql`${s.id} in (select ${s.id} from ${table} as "s" where ${isAmong(s.id, ids)} and ${isLost} for update skip locked)`
  const isOver = sql`${isCounted} and ${s.crashes} + 1 >= ${sql.raw(String(lostWorkersLimit))}`
  const counted = lost.filter(({ before }) => before !== null)
  const apart = jsonRows(
    database,
    { id: 'integer', at: 'time' },
    counted.map(({ id, before }, place) => ({
      id: Number(id),
      at: new Date(
        now.getTime() + (waitAfterLossMs[Number(before)] ?? 0) + place * apartMs,
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
        ${bare.crashes} = case when ${isCounted} then ${s.crashes} + 1 else ${s.crashes} end,
        ${bare.isolation} = case when ${s.alone} or ${s.isolation} >= 3 then 3 else ${s.isolation} + 1 end,
        ${bare.token} = null, ${bare.leaseUntil} = null, ${bare.alone} = false
      where ${isMine} and ${isStillLost}
      returning ${endedColumns(sends)}`,
  })
}

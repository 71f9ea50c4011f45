import { sql } from 'drizzle-orm'
import { lostWorkersLimit } from '../../../delivery/outbox.js'
import { releaseForgotten, writeAndRelease } from './released-sends.js'
import { endedColumns, type SendTable } from './send-table.js'

/** Sends that one look takes back; the next look is a moment later. */
const sendsAtOnce = 5000

const lostDetail = `The process that was sending it ended ${lostWorkersLimit} times while it was in its hands alone.`

export async function recoverSends(sends: SendTable, now: Date): Promise<number> {
  const lost = await takeBackLost(sends, now)
  return lost + (await releaseForgotten(sends, now, sendsAtOnce))
}

/** Takes back what a worker did not settle within its lease. */
async function takeBackLost(sends: SendTable, now: Date): Promise<number> {
  const { database, table, bare, as, checked, choice, time, isAmong } = sends
  const s = as('s')
  const isLost = sql`${s.state} = 'sending' and ${s.leaseUntil} <= ${time(now)}`
  const isStillLost = sql`${checked(s.state)} = 'sending' and ${checked(s.leaseUntil)} <= ${time(now)}`
  const lost = await database.rows(sql`select ${s.id} as "id" from ${table} as "s"
    where ${isLost} order by ${s.leaseUntil} limit ${sendsAtOnce}`)
  if (lost.length === 0) return 0

  const ids = lost.map(({ id }) => Number(id))
  // A worker that settles late may be holding them: whoever has the lock is right.
  const isMine = database.isSqlite
    ? isAmong(s.id, ids)
    : sql`${s.id} in (select ${s.id} from ${table} as "s" where ${isAmong(s.id, ids)} and ${isLost} for update skip locked)`
  const isOver = sql`${s.alone} and ${s.crashes} + 1 >= ${sql.raw(String(lostWorkersLimit))}`
  return writeAndRelease(sends, {
    ids,
    now,
    change: sql`update ${table} as "s" set
        ${bare.state} = ${choice('state', sql`case when ${isOver} then 'failed' else 'queued' end`)},
        ${bare.nextAttemptAt} = case when ${isOver} then null else ${time(now)} end,
        ${bare.errorCode} = case when ${isOver} then 'WORKER_LOST' else ${s.errorCode} end,
        ${bare.errorDetail} = case when ${isOver} then ${lostDetail} else ${s.errorDetail} end,
        ${bare.errorStatus} = case when ${isOver} then null else ${s.errorStatus} end,
        ${bare.errorPointer} = case when ${isOver} then null else ${s.errorPointer} end,
        ${bare.crashes} = case when ${s.alone} then ${s.crashes} + 1 else ${s.crashes} end,
        ${bare.isolation} = case when ${s.alone} or ${s.isolation} >= 3 then ${s.isolation} else ${s.isolation} + 1 end,
        ${bare.token} = null, ${bare.leaseUntil} = null, ${bare.alone} = false
      where ${isMine} and ${isStillLost}
      returning ${endedColumns(sends)}`,
  })
}

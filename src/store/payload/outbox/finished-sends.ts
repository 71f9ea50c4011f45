import { sql, type SQL } from 'drizzle-orm'
import { laneOf, type SendState } from '../../../delivery/outbox.js'
import type { SendTable } from './send-table.js'

/** Small enough that nobody waits long for the database. */
const deletedAtOnce = 1000

/**
 * Deletes sends that were sent or skipped before a moment and whose job is not open, and failed ones
 * that were accepted before another.
 */
export async function pruneSends(
  { database, table, bare, checked, time, isAmong }: SendTable,
  before: Date,
  failedBefore: Date | undefined,
): Promise<number> {
  const isIn = (state: SendState) => sql`${bare.state} = ${sql.raw(`'${state}'`)}`
  const endedLong = sql`${bare.sentAt} < ${time(before)} and ${checked(sql`${bare.job} is null`)}`
  const lanes = sql.raw(
    Object.values(laneOf)
      .map((lane) => `'${lane}'`)
      .join(', '),
  )
  const old: { state: SendState; isOld: SQL; by: SQL }[] = [
    { state: 'sent', isOld: endedLong, by: bare.sentAt },
    { state: 'skipped', isOld: endedLong, by: bare.sentAt },
  ]
  if (failedBefore !== undefined) {
    // The lanes are all that there are, so that an index can be used.
    const isOld = sql`${bare.lane} in (${lanes}) and ${bare.acceptedAt} < ${time(failedBefore)}`
    old.push({ state: 'failed', isOld, by: bare.id })
  }
  let count = 0
  for (const { state, isOld, by } of old) {
    const found = await database.rows(sql`select ${bare.id} as "id" from ${table}
      where ${isIn(state)} and ${isOld} order by ${by} limit ${deletedAtOnce - count}`)
    if (found.length === 0) continue
    const ids = found.map(({ id }) => Number(id))
    const deleted = await database.rows(sql`delete from ${table} where ${isAmong(bare.id, ids)}
      and ${checked(isIn(state))} returning ${bare.id} as "id"`)
    count += deleted.length
  }
  return count
}

export const resendSend = async (sends: SendTable, id: number, now: Date): Promise<boolean> =>
  (await resendSends(sends, [id], now)) > 0

/** Puts those of the sends that failed back into the queue. Resolves to how many. */
export async function resendSends(
  { database, table, bare, checked, choice, time, isAmong }: SendTable,
  ids: readonly number[],
  now: Date,
): Promise<number> {
  const resent = await database.rows(sql`update ${table} set
      ${bare.state} = ${choice('state', sql`'queued'`)}, ${bare.nextAttemptAt} = ${time(now)},
      ${bare.attempts} = 0, ${bare.crashes} = 0, ${bare.isolation} = 0, ${bare.errorCode} = null,
      ${bare.errorDetail} = null, ${bare.errorStatus} = null, ${bare.errorPointer} = null
    where ${isAmong(bare.id, ids)} and ${checked(sql`${bare.state} = 'failed'`)} returning ${bare.id} as "id"`)
  return resent.length
}

export async function dismissSend(
  { database, table, bare, checked }: SendTable,
  id: number,
): Promise<boolean> {
  const dismissed = await database.rows(sql`delete from ${table}
    where ${bare.id} = ${id} and ${checked(sql`${bare.state} = 'failed'`)} returning ${bare.id} as "id"`)
  return dismissed.length > 0
}

import { sql } from 'drizzle-orm'
import { checked, type SendTable } from './send-table.js'

/** Puts those of the sends that failed back into the queue. Resolves to how many. */
export async function resendSends(
  { database, table, bare }: SendTable,
  ids: readonly number[],
  now: Date,
): Promise<number> {
  const resent = await database.rows(sql`update ${table} set
      ${bare.state} = 'queued', ${bare.nextAttemptAt} = ${now.toISOString()},
      ${bare.attempts} = 0, ${bare.crashes} = 0, ${bare.batchSize} = null, ${bare.errorCode} = null,
      ${bare.errorDetail} = null, ${bare.errorStatus} = null, ${bare.errorPointer} = null
    where ${database.isOneOf(bare.id, ids)} and ${checked(sql`${bare.state} = 'failed'`)} returning ${bare.id} as "id"`)
  return resent.length
}

export async function dismissSend(
  { database, table, bare }: SendTable,
  id: number,
): Promise<boolean> {
  const dismissed = await database.rows(sql`delete from ${table}
    where ${bare.id} = ${id} and ${checked(sql`${bare.state} = 'failed'`)} returning ${bare.id} as "id"`)
  return dismissed.length > 0
}

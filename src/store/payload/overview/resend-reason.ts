import { sql } from 'drizzle-orm'
import { resentAtMost } from '../../overview.js'
import { resendSends } from '../../../delivery/outbox.js'
import type { SendTable } from '../../../delivery/send-table.js'
import { failedSends } from './failed-sends.js'

/** Small enough that nobody waits long for the database. */
const resentAtOnce = 1000

/**
 * Puts the failed sends of one code back into the queue. They are looked up once: what fails again
 * meanwhile, as its cause is still there, is not resent for ever.
 */
export async function resendReason(sends: SendTable, code: string, now: Date): Promise<number> {
  const s = sends.as('s')
  const rows = await sends.database.rows(sql`select ${s.id} as "id" from ${failedSends(sends)}
    and coalesce(${s.errorCode}, '') = ${code} order by ${s.id} limit ${resentAtMost}`)
  // Sends of one profile leave in the order of their ids.
  const ids = rows.map(({ id }) => Number(id))
  let count = 0
  for (let at = 0; at < ids.length; at += resentAtOnce) {
    count += await resendSends(sends, ids.slice(at, at + resentAtOnce), now)
  }
  return count
}

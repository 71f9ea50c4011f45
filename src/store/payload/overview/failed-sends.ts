import { sql, type SQL } from 'drizzle-orm'
import type { Lane } from '../../../delivery/outbox.js'
import type { SendTable } from '../outbox/send-table.js'

/** All lanes, so that the indexes that begin with one can be used. */
export const lanes: readonly Lane[] = ['events', 'profiles', 'list-adds', 'subscriptions']

/** The failed sends under the alias `s`, to select from; conditions may follow. */
export function failedSends({ table, as }: SendTable): SQL {
  const s = as('s')
  const names = sql.raw(lanes.map((lane) => `'${lane}'`).join(', '))
  return sql`${table} as "s" where ${s.lane} in (${names}) and ${s.state} = 'failed'`
}

import { sql, type SQL } from 'drizzle-orm'
import { sendKinds } from '../../../delivery/send.js'
import type { SendTable } from '../../../delivery/send-table.js'

/** The failed sends under the alias `s`, to select from; conditions may follow. */
export function failedSends({ table, as }: SendTable): SQL {
  const s = as('s')
  // All kinds, so that the indexes that begin with one can be used.
  const names = sql.raw(sendKinds.map((kind) => `'${kind}'`).join(', '))
  return sql`${table} as "s" where ${s.kind} in (${names}) and ${s.state} = 'failed'`
}

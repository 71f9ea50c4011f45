import { sql, type SQL } from 'drizzle-orm'
import { ofAnyKind, type SendTable } from '../../../delivery/send-table.js'

/** The failed sends under the alias `s`, to select from; conditions may follow. */
export function failedSends({ table, as }: SendTable): SQL {
  const s = as('s')
  return sql`${table} as "s" where ${ofAnyKind(s)} and ${s.state} = 'failed'`
}

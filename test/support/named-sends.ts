import { sql } from 'drizzle-orm'
import type { Database } from '../../src/core/database/database.js'
import { sendTable } from '../../src/marketing/delivery/send-table.js'
import type { WaitingSend } from '../../src/marketing/delivery/send.js'

/** Sends as the deliverer names them when it begins a call, whatever their state is. */
export async function namedSends(
  database: Database,
  ids: readonly number[],
): Promise<Pick<WaitingSend, 'id' | 'kind' | 'profile'>[]> {
  const { table, bare } = sendTable(database)
  const rows = await database.rows(sql`select ${bare.id} as "id", ${bare.kind} as "kind",
    ${bare.profile} as "profile" from ${table} where ${database.isOneOf(bare.id, ids)} order by ${bare.id}`)
  return rows.map(({ id, kind, profile }) => ({
    id: Number(id),
    kind: kind as WaitingSend['kind'],
    profile: String(profile),
  }))
}

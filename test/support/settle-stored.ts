import { sql } from 'drizzle-orm'
import { createDeliveryStore } from '../../src/delivery/delivery-store.js'
import { createLeases } from '../../src/delivery/lease.js'
import type { Settlement } from '../../src/delivery/send.js'
import { sendTable } from '../../src/delivery/send-table.js'
import { namedSends } from './named-sends.js'
import type { Database } from '../../src/database/database.js'

/** Puts sends in a call, and writes what became of them, as the process that delivers does. */
export async function settleStored(
  database: Database,
  keys: readonly string[],
  { settlementOf, now }: { settlementOf: (id: number) => Settlement; now: Date },
): Promise<void> {
  const lease = await createLeases(database).take()
  if (lease === undefined) throw new Error('Another process delivers.')
  const { table, bare } = sendTable(database)
  const rows = await database.rows(sql`select ${bare.id} as "id" from ${table}
    where ${database.isOneOf(bare.key, keys)}`)
  const ids = rows.map(({ id }) => Number(id))
  const store = createDeliveryStore(database)
  const begun = await store.begin(
    [{ name: 'call', sends: await namedSends(database, ids) }],
    lease,
    {},
  )
  if (begun.size !== keys.length) throw new Error(`Not all could begin: ${keys.join(', ')}.`)
  await store.settle(ids.map(settlementOf), lease, now)
  await lease.giveBack({})
}

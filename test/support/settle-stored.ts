import { sql } from 'drizzle-orm'
import type { BasePayload } from 'payload'
import { createDeliveryStore } from '../../src/delivery/delivery-store.js'
import { createLeases } from '../../src/delivery/lease.js'
import type { Settlement } from '../../src/delivery/send.js'
import { sendTable } from '../../src/delivery/send-table.js'
import { namedSends } from './named-sends.js'
import { shopOf } from './shop-of.js'

/** Puts sends in a call, and writes what became of them, as the process that delivers does. */
export async function settleStored(
  payload: BasePayload,
  keys: readonly string[],
  { settlementOf, now }: { settlementOf: (id: number) => Settlement; now: Date },
): Promise<void> {
  const shop = shopOf(payload)
  const { database } = shop
  const lease = await createLeases(shop).take()
  if (lease === undefined) throw new Error('Another process delivers.')
  const { table, bare } = sendTable(database)
  const rows = await database.rows(sql`select ${bare.id} as "id" from ${table}
    where ${database.isOneOf(bare.key, keys)}`)
  const ids = rows.map(({ id }) => Number(id))
  const store = createDeliveryStore(shop)
  const begun = await store.begin(
    [{ name: 'call', sends: await namedSends(database, ids) }],
    lease,
    {},
  )
  if (begun.size !== keys.length) throw new Error(`Not all could begin: ${keys.join(', ')}.`)
  await store.settle(ids.map(settlementOf), lease, now)
  await lease.giveBack({})
}

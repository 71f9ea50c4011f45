import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { getPayload, type SanitizedConfig } from 'payload'
import { wholePartsOf } from '../../test/support/parts.js'
import { builtInEvents } from '../../src/marketing/events/event-table.js'
import type { TemplateDatabases } from '../../test/support/databases.js'
import { aLine, anOrder } from '../../test/support/orders.js'
import { storeConfig } from '../../test/support/store-config.js'
import { numberOf, openDatabase, type Ground } from '../marketing/bench-database.js'

/** `on`: as it comes. `off`: every event is switched off. `none`: nothing listens to orders. */
export type Telling = 'on' | 'off' | 'none'

/** Milliseconds of a save: until its caller goes on, and until all that it has to tell is stored too. */
export interface Taken {
  saved: number
  reported: number
}

/** A store with a database of its own, and how long it takes to save an order there. */
export interface Shop {
  create(): Promise<Taken>
  changeStatus(): Promise<Taken>
  touch(): Promise<Taken>
  /** Orders, entries of their histories, and sends, to see that the store is what it says. */
  counts(): Promise<{ orders: number; remembered: number; sends: number }>
}

export async function openShop(
  databases: TemplateDatabases,
  { ground, telling }: { ground: Ground; telling: Telling },
): Promise<Shop> {
  const { kind, url, database } = await openDatabase(databases, ground)
  const isOn = telling === 'on'
  const settings = {
    builtInEvents: Object.fromEntries(builtInEvents.map((event) => [event, isOn])),
  }
  const config = await storeConfig({ kind, url, options: { marketing: { settings } } })
  if (telling === 'none') withoutListeners(config)
  const payload = await getPayload({ config, key: randomUUID() })
  // The server stops before this process does, and the pool calls that an error.
  const { pool } = payload.db as { pool?: { on: (event: 'error', listener: () => void) => void } }
  pool?.on('error', () => undefined)

  let bought = 0
  let saved = 0
  let id: number | string = 0
  const { feeds } = await wholePartsOf(payload)
  const timed = async (work: () => Promise<{ id: number | string }>): Promise<Taken> => {
    const start = performance.now()
    id = (await work()).id
    const saved = performance.now() - start
    for (const feed of feeds) await feed.catchUp()
    return { saved, reported: performance.now() - start }
  }
  const save = (data: Record<string, unknown>) =>
    timed(() => payload.update({ collection: 'orders', id, data, depth: 0 }))
  const orders = database.table('orders')
  return {
    create() {
      const items = [aLine(), aLine({ sku: 'CUP-1', quantity: 1 })]
      const data = anOrder({ items, customerEmail: `buyer-${(bought += 1)}@example.com` })
      return timed(() => payload.create({ collection: 'orders', data, depth: 0 }))
    },
    async changeStatus() {
      const { status } = await payload.findByID({ collection: 'orders', id, depth: 0 })
      return save({ status: status === 'processing' ? 'completed' : 'processing' })
    },
    touch: () => save({ internalNotes: `Saved ${(saved += 1)} times` }),
    counts: async () => ({
      orders: await numberOf(database, sql`select count(*) from ${orders}`),
      remembered: await numberOf(database, sql`select count(status_changes) from ${orders}`),
      sends: await numberOf(
        database,
        sql`select count(*) from ${database.table('marketing-sends')}`,
      ),
    }),
  }
}

/** Storeconnect's own stand behind the store's. */
function withoutListeners({ collections }: SanitizedConfig): void {
  const orders = collections.find(({ slug }) => slug === 'orders')
  orders?.hooks.beforeChange.pop()
  orders?.hooks.afterChange.pop()
}

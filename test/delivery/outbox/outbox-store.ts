import { sql } from 'drizzle-orm'
import { sqlDatabase, type Database } from '../../../src/database/database.js'
import { leaseSlug } from '../../../src/delivery/lease.js'
import type { Outbox } from '../../../src/delivery/outbox.js'
import { sendsSlug } from '../../../src/delivery/send-table.js'
import { partsOf } from '../../../src/installation.js'
import { joinStore, openStore, type TestStore } from '../../support/store.js'
import type { DatabaseKind, StoreSetup } from '../../support/store-config.js'

/** A test store, seen from its outbox. */
export interface OutboxStore extends TestStore {
  database: Database
  outbox: Outbox
  /** Another instance on the same database; closed with this one. */
  join(): Promise<OutboxStore>
  /** Deletes all sends, and the lease. */
  clear(): Promise<void>
}

export const openOutboxStore = async (
  kind: DatabaseKind,
  setup: Pick<StoreSetup, 'config'> = {},
): Promise<OutboxStore> => withOutbox(await openStore(kind, setup))

function withOutbox(store: TestStore): OutboxStore {
  const database = sqlDatabase(store.payload)
  const joined: OutboxStore[] = []
  return {
    ...store,
    database,
    outbox: partsOf(store.payload).outbox,
    async join() {
      const another = withOutbox(await joinStore(store.kind, store.url))
      joined.push(another)
      return another
    },
    async clear() {
      for (const slug of [sendsSlug, leaseSlug]) {
        await database.run(sql`delete from ${database.table(slug)}`)
      }
    },
    async close() {
      for (const another of joined) await another.close()
      await store.close()
    },
  }
}

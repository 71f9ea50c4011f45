import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { getPayload, handleEndpoints, type BasePayload, type SanitizedConfig } from 'payload'
import { type Outbox, createOutbox } from '../../../src/delivery/outbox.js'
import { sqlDatabase, type Database } from '../../../src/database/database.js'
import { leaseSlug } from '../../../src/delivery/lease.js'
import { sendsSlug } from '../../../src/delivery/send-table.js'
import { closeInstance } from '../../support/close-instance.js'
import { emptyDatabase } from '../../support/own-database.js'
import type { DatabaseKind } from '../../support/store-config.js'
import { outboxConfig, type OutboxSetup } from './outbox-config.js'
import { pushByScript } from '../../support/push-by-script.js'

/** An instance of a store that has the outbox alone, as a process of its own would have it. */
export interface OutboxStore {
  payload: BasePayload
  database: Database
  outbox: Outbox
  /** Where the database is. */
  url: string
  /** Another instance on the same database; closed with this one. */
  join(): Promise<OutboxStore>
  /** Deletes all sends, and the lease. */
  clear(): Promise<void>
  /** Payload's own API, below `/api`. */
  api(path: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

export async function openOutboxStore(
  kind: DatabaseKind,
  idType: OutboxSetup['idType'] = 'number',
): Promise<OutboxStore> {
  const place = await emptyDatabase(kind)
  const script = join(import.meta.dirname, 'push-outbox-schema.ts')
  await pushByScript(script, [kind, place.url, idType])
  const config = await outboxConfig({ kind, url: place.url, idType })
  return connect(config, place, () => outboxConfig({ kind, url: place.url, idType }))
}

async function connect(
  config: SanitizedConfig,
  { url, remove }: { url: string; remove: () => Promise<void> },
  another: () => Promise<SanitizedConfig>,
): Promise<OutboxStore> {
  const key = randomUUID()
  const payload = await getPayload({ config, key })
  const database = sqlDatabase(payload)
  const joined: OutboxStore[] = []
  return {
    payload,
    database,
    outbox: createOutbox(database),
    url,
    async join() {
      const store = await connect(
        await another(),
        { url, remove: () => Promise.resolve() },
        another,
      )
      joined.push(store)
      return store
    },
    clear: async () => {
      for (const slug of [sendsSlug, leaseSlug]) {
        await database.run(sql`delete from ${database.table(slug)}`)
      }
    },
    api: (path, init) =>
      handleEndpoints({
        config,
        payloadInstanceCacheKey: key,
        request: new Request(`https://shop.example/api${path}`, init),
      }),
    async close() {
      for (const store of joined) await store.close()
      await closeInstance(payload)
      await remove()
    },
  }
}

import { randomUUID } from 'node:crypto'
import { getPayload, handleEndpoints, type BasePayload } from 'payload'
import type { Handle } from '../../src/http/front-door.js'
import { handlerOf } from '../../src/installation.js'
import { closeInstance } from './close-instance.js'
import { storeDatabase } from './own-database.js'
import { storeConfig, type DatabaseKind, type StoreSetup } from './store-config.js'

/** `DATABASE=sqlite` leaves the other out. */
export const databaseKinds: DatabaseKind[] =
  process.env.DATABASE === 'sqlite' ? ['sqlite'] : ['sqlite', 'postgres']

export const hasPostgres = databaseKinds.includes('postgres')

/** For a test that says nothing about the database. */
export const anyKind: DatabaseKind = 'sqlite'

/** A store with a database of its own. Close it when the test is over. */
export interface TestStore {
  payload: BasePayload
  handle: Handle
  /** A request to Payload's own API. */
  api(request: Request): Promise<Response>
  /** Where the database is, for a second process on it. */
  url: string
  kind: DatabaseKind
  close(): Promise<void>
}

export async function openStore(
  kind: DatabaseKind,
  setup: Omit<StoreSetup, 'kind' | 'url'> = {},
): Promise<TestStore> {
  const database = await storeDatabase(kind)
  const store = await joinStore(kind, database.url, setup)
  return {
    ...store,
    async close() {
      await store.close()
      await database.remove()
    },
  }
}

/** A second instance on a database that is there already, as another process would be. */
export async function joinStore(
  kind: DatabaseKind,
  url: string,
  setup: Omit<StoreSetup, 'kind' | 'url'> = {},
): Promise<TestStore> {
  const config = await storeConfig({ ...setup, kind, url })
  const key = randomUUID()
  const payload = await getPayload({ config, key })
  return {
    payload,
    handle: handlerOf(payload),
    api: (request) => handleEndpoints({ config, payloadInstanceCacheKey: key, request }),
    url,
    kind,
    close: () => closeInstance(payload),
  }
}

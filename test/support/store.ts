import { randomUUID } from 'node:crypto'
import { getPayload, handleEndpoints, type BasePayload, type SanitizedConfig } from 'payload'
import type { Handle } from '../../src/core/http/reply.js'
import { handlerOf, installedIn } from '../../src/core/installation.js'
import { TestBrowser } from './browser.js'
import { closeInstance } from './close-instance.js'
import { emptyDatabase, storeDatabase, type OwnDatabase } from './own-database.js'
import { pushSchema } from './push-schema.js'
import { storeConfig, type DatabaseKind, type StoreSetup } from './store-config.js'

/** For what only PostgreSQL can show. `DATABASE=sqlite` leaves it out. */
export const hasPostgres = process.env.DATABASE !== 'sqlite'

/** For a test whose code the databases may answer differently. `npm test` is content with SQLite. */
export const databaseKinds: DatabaseKind[] =
  hasPostgres && process.env.EACH_DATABASE ? ['sqlite', 'postgres'] : ['sqlite']

/** `POOLER=pgbouncer` puts PgBouncer in front of PostgreSQL. */
export const isPooled = process.env.POOLER === 'pgbouncer'

/** For a test that says nothing about the database. */
export const anyKind: DatabaseKind = 'sqlite'

/** A store with a database of its own. Close it when the test is over. */
export interface TestStore {
  payload: BasePayload
  handle: Handle
  /** A request to Payload's own API. */
  api(request: Request): Promise<Response>
  /** That of a visitor without any cookie. */
  aBrowser(origin?: string): TestBrowser
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
  return removing(database, () => joinStore(kind, database.url, setup))
}

/** A store with tables that the template database lacks. */
export const openOwnStore = (
  kind: DatabaseKind,
  setup: Omit<StoreSetup, 'kind' | 'url'> = {},
): Promise<TestStore> => openShapedStore(kind, (_, url) => storeConfig({ ...setup, kind, url }))

/** A store of another shape, on a schema of its own. */
export async function openShapedStore(
  kind: DatabaseKind,
  shapeOf: (kind: DatabaseKind, url: string) => Promise<SanitizedConfig>,
): Promise<TestStore> {
  const database = await emptyDatabase(kind)
  const { url } = database
  return removing(database, async () => {
    const config = await shapeOf(kind, url)
    await pushSchema(config)
    return startStore(config, { kind, url })
  })
}

/** Removes the database when the store is closed, and when it does not open. */
export async function removing(
  database: OwnDatabase,
  open: () => Promise<TestStore>,
): Promise<TestStore> {
  const store = await open().catch(async (error: unknown) => {
    await database.remove()
    throw error
  })
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
  return startStore(await storeConfig({ ...setup, kind, url }), { kind, url })
}

/** A store on a database that is there already. */
export async function startStore(
  config: SanitizedConfig,
  place: Pick<TestStore, 'kind' | 'url'>,
): Promise<TestStore> {
  const key = randomUUID()
  const payload = await getPayload({ config, key })
  // Where functions deliver, nobody has needed the parts yet.
  await installedIn(payload)
  const door = {
    payload,
    handle: handlerOf(payload),
    api: (request: Request) => handleEndpoints({ config, payloadInstanceCacheKey: key, request }),
  }
  return {
    ...door,
    aBrowser: (origin) => new TestBrowser(door, origin),
    ...place,
    close: () => closeInstance(payload),
  }
}

import { emptyDatabase } from '../support/own-database.js'
import { storeConfig, type DatabaseKind, type StoreSetup } from '../support/store-config.js'
import { joinStore, removing, type TestStore } from '../support/store.js'
import { pushSchema } from '../support/push-schema.js'

/** The test store, with a uuid for the id of everything. */
export async function openUuidStore(
  kind: DatabaseKind,
  setup: Omit<StoreSetup, 'kind' | 'url' | 'idType'> = {
    options: { productUrl: ({ productId }) => `/products/${productId}` },
  },
): Promise<TestStore> {
  const database = await emptyDatabase(kind)
  const ownSetup = { ...setup, idType: 'uuid' as const }
  return removing(database, async () => {
    await pushSchema(await storeConfig({ ...ownSetup, kind, url: database.url }))
    return joinStore(kind, database.url, ownSetup)
  })
}

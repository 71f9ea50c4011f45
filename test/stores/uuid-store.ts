import { emptyDatabase } from '../support/own-database.js'
import type { DatabaseKind, StoreSetup } from '../support/store-config.js'
import { joinStore, removing, type TestStore } from '../support/store.js'
import { processScript } from '../support/process-script.js'
import { pushByScript } from '../support/push-by-script.js'

/** The test store, with a uuid for the id of everything. */
export async function openUuidStore(
  kind: DatabaseKind,
  setup: Omit<StoreSetup, 'kind' | 'url' | 'idType'> = {
    options: { productUrl: ({ productId }) => `/products/${productId}` },
  },
): Promise<TestStore> {
  const database = await emptyDatabase(kind)
  await pushByScript(processScript('push-schema'), [kind, database.url, 'uuid'])
  return removing(database, await joinStore(kind, database.url, { ...setup, idType: 'uuid' }))
}

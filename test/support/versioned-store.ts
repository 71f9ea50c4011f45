import type { CollectionConfig } from 'payload'
import { emptyDatabase } from './own-database.js'
import { pushSchema } from './push-schema.js'
import { storeConfig, type DatabaseKind, type StoreSetup } from './store-config.js'
import { joinStore, removing, type TestStore } from './store.js'

/** The test store with versions of its orders, on a schema of its own. */
export async function openVersionedStore(
  kind: DatabaseKind,
  versions: NonNullable<CollectionConfig['versions']>,
  setup: Omit<StoreSetup, 'kind' | 'url' | 'orders'> = {},
): Promise<TestStore> {
  const database = await emptyDatabase(kind)
  const orders = {
    fields: [
      { name: 'motto', type: 'text', localized: true },
      {
        name: 'gifts',
        type: 'array',
        fields: [
          { name: 'to', type: 'text', localized: true },
          { name: 'colours', type: 'select', hasMany: true, options: ['red', 'blue'] },
          { name: 'tags', type: 'text', hasMany: true },
          { name: 'cards', type: 'array', fields: [{ name: 'words', type: 'text' }] },
        ],
      },
    ],
    versions,
  } satisfies StoreSetup['orders']
  const config = { localization: { locales: ['en', 'de'], defaultLocale: 'en' } }
  const own = { ...setup, orders, config: { ...config, ...setup.config } }
  return removing(database, async () => {
    await pushSchema(await storeConfig({ ...own, kind, url: database.url }))
    return joinStore(kind, database.url, own)
  })
}

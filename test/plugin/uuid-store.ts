import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { emptyDatabase } from '../support/own-database.js'
import type { DatabaseKind } from '../support/store-config.js'
import { joinStore, type TestStore } from '../support/store.js'

/** The test store, with a uuid for the id of everything. */
export async function openUuidStore(kind: DatabaseKind): Promise<TestStore> {
  const database = await emptyDatabase(kind)
  pushSchema(kind, database.url)
  const store = await joinStore(kind, database.url, {
    idType: 'uuid',
    options: { productUrl: ({ productId }) => `/products/${productId}` },
  })
  return {
    ...store,
    async close() {
      await store.close()
      await database.remove()
    },
  }
}

/** In a process of its own: Payload pushes one schema a process. */
function pushSchema(kind: DatabaseKind, url: string): void {
  const script = join(import.meta.dirname, 'push-uuid-schema.ts')
  execFileSync(process.execPath, ['--import', 'tsx', script, kind, url], {
    env: { ...process.env, NODE_ENV: 'development' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

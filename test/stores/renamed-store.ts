import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { getPayload, handleEndpoints, type BasePayload } from 'payload'
import { handlerOf } from '../../src/index.js'
import type { Handle } from '../../src/types.js'
import { closeInstance } from '../support/close-instance.js'
import { emptyDatabase } from '../support/own-database.js'
import type { DatabaseKind } from '../support/store-config.js'
import { renamedConfig } from './renamed-config.js'
import { pushByScript } from '../support/push-by-script.js'

export interface RenamedStore {
  payload: BasePayload
  handle: Handle
  /** Payload's own API, below `/api`. */
  api: (path: string, body: object) => Promise<Response>
  close(): Promise<void>
}

export async function openRenamedStore(kind: DatabaseKind): Promise<RenamedStore> {
  const database = await emptyDatabase(kind)
  await pushByScript(join(import.meta.dirname, 'push-renamed-schema.ts'), [kind, database.url])
  const config = await renamedConfig(kind, database.url)
  const key = randomUUID()
  const payload = await getPayload({ config, key })
  return {
    payload,
    handle: handlerOf(payload),
    api: (path, body) =>
      handleEndpoints({
        config,
        payloadInstanceCacheKey: key,
        request: new Request(`https://shop.example/api${path}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      }),
    async close() {
      await closeInstance(payload)
      await database.remove()
    },
  }
}

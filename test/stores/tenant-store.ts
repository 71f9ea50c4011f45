import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { getPayload, handleEndpoints, type BasePayload } from 'payload'
import { handlerOf } from '../../src/index.js'
import type { Handle } from '../../src/types.js'
import { closeInstance } from '../support/close-instance.js'
import { emptyDatabase } from '../support/own-database.js'
import type { DatabaseKind } from '../support/store-config.js'
import { tenantConfig } from './tenant-config.js'
import { pushByScript } from '../support/push-by-script.js'

export interface TenantStore {
  payload: BasePayload
  handle: Handle
  /** Payload's own API, asked by a page of the store. */
  api: (url: string, body: object, headers?: Record<string, string>) => Promise<Response>
  close(): Promise<void>
}

export async function openTenantStore(kind: DatabaseKind): Promise<TenantStore> {
  const database = await emptyDatabase(kind)
  await pushByScript(join(import.meta.dirname, 'push-tenant-schema.ts'), [kind, database.url])
  const config = await tenantConfig(kind, database.url)
  const key = randomUUID()
  const payload = await getPayload({ config, key })
  return {
    payload,
    handle: handlerOf(payload),
    api: (url, body, headers = {}) =>
      handleEndpoints({
        config,
        payloadInstanceCacheKey: key,
        request: new Request(url, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', ...headers },
        }),
      }),
    async close() {
      await closeInstance(payload)
      await database.remove()
    },
  }
}

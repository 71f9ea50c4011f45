import { reload } from 'payload'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKlaviyoStandIn, demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { captureLog } from '../support/captured-log.js'
import { saveOrder } from '../support/orders.js'
import { storeDatabase, type OwnDatabase } from '../support/own-database.js'
import { storeConfig } from '../support/store-config.js'
import { databaseKinds, joinStore, type TestStore } from '../support/store.js'

describe.each(databaseKinds)('a config that is changed while the store runs, on %s', (kind) => {
  const klaviyo = createKlaviyoStandIn()
  const called: string[] = []
  const log = captureLog()
  let database: OwnDatabase
  let store: TestStore

  /** A store that finds Klaviyo at this host. */
  const setup = (host: string) => ({
    config: log.config,
    options: {
      marketing: {
        apiUrl: `https://${host}`,
        delivery: 'loop' as const,
        settings: { privateApiKey: demoApiKey },
      },
    },
    effects: {
      fetch: async (...call: Parameters<typeof fetch>) => {
        const request = new Request(...call)
        called.push(new URL(request.url).host)
        return klaviyo.handle(request)
      },
    },
  })

  beforeAll(async () => {
    database = await storeDatabase(kind)
    store = await joinStore(kind, database.url, setup('before.example'))
  })
  afterAll(async () => {
    await store.close()
    await database.remove()
  })

  it('delivers as the changed config says, once it is loaded', async () => {
    await saveOrder(store.payload)
    await expect.poll(() => called).toContain('before.example')

    const { url } = database
    const changed = await storeConfig({ ...setup('after.example'), kind, url })
    await reload(changed, store.payload, true)
    called.splice(0)
    await saveOrder(store.payload)
    await expect.poll(() => called, { timeout: 10_000 }).toContain('after.example')
    expect(called).not.toContain('before.example')
    expect(log.lines().filter(({ level }) => level >= 50)).toEqual([])
  })
})

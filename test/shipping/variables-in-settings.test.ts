import { afterEach, describe, expect, it, vi } from 'vitest'
import { partsOf } from '../../src/installation.js'
import { saveOrder } from '../support/orders.js'
import { basic, exportRequest, noticeRequest } from '../support/shipping-requests.js'
import { openStore, type TestStore } from '../support/store.js'

describe('A setting that names a variable of the environment', () => {
  let store: TestStore
  afterEach(async () => {
    vi.unstubAllEnvs()
    await store.close()
  })

  it('stands for it where it is a credential, and is shown as it was written', async () => {
    vi.stubEnv('SHIP_NAME', 'captain')
    store = await openStore('sqlite', {
      options: { shipping: { settings: { username: '$SHIP_NAME' } } },
    })
    const headers = { authorization: basic('captain', 'secret:ü') }
    expect((await store.handle(exportRequest({}, { headers }))).status).toBe(200)
    const settings = await partsOf(store.payload).shippingSettings.get()
    expect(settings.username).toBe('$SHIP_NAME')
  })

  it('stands for nothing else, so that nobody reads a secret by it', async () => {
    vi.stubEnv('SHIPPED_STATUS', 'shipped')
    store = await openStore('sqlite', {
      options: { shipping: { settings: { statusHandle: '$SHIPPED_STATUS' } } },
    })
    const { reference } = await saveOrder(store.payload)
    expect((await store.handle(noticeRequest({ order_number: reference }))).status).toBe(500)
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { exportRequest } from '../support/shipping-requests.js'
import { anyKind, openStore, type TestStore } from '../support/store.js'

describe("A password that comes from the store's code", () => {
  let store: TestStore
  afterEach(() => store.close())

  it('still lets ShipStation in when other settings were saved twice', async () => {
    store = await openStore(anyKind)
    for (const pageSize of ['7', '9']) {
      await store.payload.updateGlobal({ slug: 'shipping-settings', data: { pageSize } })
    }
    expect((await store.handle(exportRequest())).status).toBe(200)
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { anOrder, saveOrder } from '../support/orders.js'
import { exportRequest } from '../support/shipping-requests.js'
import { databaseKinds, openStore, type TestStore } from '../support/store.js'

describe.each(databaseKinds)('An order of a customer account, on %s,', (kind) => {
  let store: TestStore
  afterEach(() => store.close())

  it.each([
    ['which the extension does not put on the order', null],
    ['where its own is blank', ''],
  ])("is exported with the account's email, %s", async (_, customerEmail) => {
    store = await openStore(kind)
    const { id } = await store.payload.create({
      collection: 'users',
      data: { email: 'zofia@example.com', password: 'a long password', roles: ['customer'] },
    })
    await saveOrder(store.payload, anOrder({ customer: id, customerEmail }))

    const xml = await (await store.handle(exportRequest())).text()
    expect(xml).toContain(`<CustomerCode>${id}</CustomerCode>`)
    expect(xml).toContain('<Email>zofia@example.com</Email>')
  })
})

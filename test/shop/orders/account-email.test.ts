import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anOrder, saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { databaseKinds, openStore, type TestStore } from '../../support/store.js'

describe.each(databaseKinds)('An order of a customer account, on %s,', (kind) => {
  let store: TestStore
  beforeAll(async () => {
    store = await openStore(kind)
  })
  afterAll(() => store.close())

  it("is exported with the account's email, which the extension does not put on the order, or blank", async () => {
    const data = { email: 'zofia@example.com', password: 'a long password', roles: ['customer'] }
    const { id } = await store.payload.create({ collection: 'users', data })
    for (const customerEmail of [null, '']) {
      await saveOrder(store.payload, anOrder({ customer: id, customerEmail }))
    }
    const xml = await (await store.handle(exportRequest())).text()
    expect(xml.split(`<CustomerCode>${id}</CustomerCode>`)).toHaveLength(3)
    expect(xml.split('<Email>zofia@example.com</Email>')).toHaveLength(3)
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { partsOf } from '../support/parts.js'
import { anAddress, anOrder, saveOrder } from '../support/orders.js'
import { exportRequest, noticeRequest } from '../support/shipping-requests.js'
import { anyKind, openStore, type TestStore } from '../support/store.js'

describe('An order that was left out and is put into the trash', () => {
  let store: TestStore
  afterEach(() => store.close())

  const countOmissions = async () =>
    (await partsOf(store.payload).overview.facts()).shipping.skipped.count

  it('is no longer among the orders left out, until it comes back', async () => {
    store = await openStore(anyKind)
    const shippingAddress = anAddress({ city: '' })
    const { id } = await saveOrder(store.payload, anOrder({ shippingAddress }))
    await store.handle(exportRequest())
    expect(await countOmissions()).toBe(1)

    const putAway = (deletedAt: string | null) =>
      store.payload.update({ collection: 'orders', id, data: { deletedAt }, trash: true })
    await putAway(new Date().toISOString())
    expect(await countOmissions()).toBe(0)
    await store.handle(exportRequest())
    expect(await countOmissions()).toBe(0)

    await putAway(null)
    await store.handle(exportRequest())
    expect(await countOmissions()).toBe(1)
  })

  it('is not found by a notice', async () => {
    store = await openStore(anyKind)
    const { id, reference } = await saveOrder(store.payload)
    await store.handle(exportRequest())
    const data = { deletedAt: new Date().toISOString() }
    await store.payload.update({ collection: 'orders', id, data })
    const body = `<ShipNotice><OrderID>${id}</OrderID></ShipNotice>`
    const requests = [noticeRequest({ order_number: reference }), noticeRequest({}, { body })]
    for (const request of requests) expect((await store.handle(request)).status).toBe(404)
  })
})

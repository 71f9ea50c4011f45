import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entry, notify, parcel, readShipment } from '../notice/stored-shipment.js'
import { saveOrder, type SavedOrder } from '../../support/orders.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { openStore, type TestStore } from '../../support/store.js'

/** PostgreSQL never gives an id twice. */
describe('An order with the id of a deleted one (sqlite)', () => {
  let store: TestStore

  beforeAll(async () => {
    store = await openStore('sqlite')
  })
  afterAll(() => store.close())

  const where = ({ id }: SavedOrder) => ({ id: { equals: id } })
  it.each<[string, (order: SavedOrder) => Promise<unknown>]>([
    ['deleted', ({ id }) => store.payload.delete({ collection: 'orders', id })],
    [
      'deleted in bulk',
      (order) => store.payload.delete({ collection: 'orders', where: where(order) }),
    ],
    [
      'deleted from the trash',
      async ({ id }) => {
        const data = { deletedAt: new Date().toISOString() }
        await store.payload.update({ collection: 'orders', id, data })
        await store.payload.delete({ collection: 'orders', id, trash: true })
      },
    ],
    [
      'deleted past all hooks',
      (order) => store.payload.db.deleteOne({ collection: 'orders', where: where(order) }),
    ],
  ])('has its own parcels, and none of the one that was %s', async (_how, remove) => {
    const deleted = await saveOrder(store.payload)
    await store.handle(exportRequest())
    await notify(store, { order_number: deleted.reference, ...parcel })
    await remove(deleted)

    const order = await saveOrder(store.payload)
    expect(order.id).toBe(deleted.id)
    const body = `<ShipNotice><OrderID>${order.id}</OrderID></ShipNotice>`
    expect((await store.handle(noticeRequest({}, { body }))).status).toBe(404)
    expect((await readShipment(store.payload, order.id)).history).toEqual([])
    for (let time = 0; time < 2; time += 1) {
      await notify(store, { order_number: order.reference, ...parcel })
      expect((await readShipment(store.payload, order.id)).history).toMatchObject([
        { reference: order.reference, ...entry },
      ])
    }
  })
})

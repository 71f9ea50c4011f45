import { describe, expect, it } from 'vitest'
import { partsOf } from '../support/parts.js'
import { anAddress, anOrder, saveOrder, type SavedOrder } from '../support/orders.js'
import { exportRequest, noticeRequest } from '../support/shipping-requests.js'
import { sharedStore } from '../support/shared-store.js'
import { entry, notify, parcel, readShipment } from './notice/stored-shipment.js'

const store = sharedStore('sqlite')

const putAway = (
  { id }: Pick<SavedOrder, 'id'>,
  deletedAt: string | null = new Date().toISOString(),
) => store.payload.update({ collection: 'orders', id, data: { deletedAt }, trash: true })
const noticeOf = ({ id }: SavedOrder) =>
  noticeRequest({}, { body: `<ShipNotice><OrderID>${id}</OrderID></ShipNotice>` })

describe('An order that was left out and is put into the trash', () => {
  const countOmissions = async () =>
    (await partsOf(store.payload).overview.facts()).shipping.skipped.count

  it('is no longer among the orders left out, until it comes back', async () => {
    const shippingAddress = anAddress({ city: '' })
    const order = await saveOrder(store.payload, anOrder({ shippingAddress }))
    await store.handle(exportRequest())
    expect(await countOmissions()).toBe(1)

    await putAway(order)
    expect(await countOmissions()).toBe(0)
    await store.handle(exportRequest())
    expect(await countOmissions()).toBe(0)

    await putAway(order, null)
    await store.handle(exportRequest())
    expect(await countOmissions()).toBe(1)
  })

  it('is not found by a notice', async () => {
    const order = await saveOrder(store.payload)
    await store.handle(exportRequest())
    await putAway(order)
    const requests = [noticeRequest({ order_number: order.reference }), noticeOf(order)]
    for (const request of requests) expect((await store.handle(request)).status).toBe(404)
  })
})

/** PostgreSQL never gives an id twice. */
describe('An order with the id of a deleted one (sqlite)', () => {
  const where = ({ id }: SavedOrder) => ({ id: { equals: id } })
  it.each<[string, (order: SavedOrder) => Promise<unknown>]>([
    ['deleted', ({ id }) => store.payload.delete({ collection: 'orders', id })],
    [
      'deleted in bulk',
      (order) => store.payload.delete({ collection: 'orders', where: where(order) }),
    ],
    [
      'deleted from the trash',
      async (order) => {
        await putAway(order)
        await store.payload.delete({ collection: 'orders', id: order.id, trash: true })
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
    expect((await store.handle(noticeOf(order))).status).toBe(404)
    expect((await readShipment(store.payload, order.id)).history).toEqual([])
    for (let time = 0; time < 2; time += 1) {
      await notify(store, { order_number: order.reference, ...parcel })
      expect((await readShipment(store.payload, order.id)).history).toMatchObject([
        { reference: order.reference, ...entry },
      ])
    }
  })
})

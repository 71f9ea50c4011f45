import { afterEach, describe, expect, it } from 'vitest'
import { anOrder, saveOrder } from '../support/orders.js'
import { savePastOrders } from '../support/past-orders.js'
import { exportRequest, noticeRequest } from '../support/shipping-requests.js'
import { databaseKinds } from '../support/store.js'
import { only, openAlertWorld, type AlertWorld } from './alert-world.js'

const hour = 60

describe.each(databaseKinds)('A paid order waits for its shipment (%s)', (kind) => {
  let world: AlertWorld
  afterEach(() => world.close())

  const open = async (settings = {}) => {
    world = await openAlertWorld(kind, {
      settings: { ...only('unshipped'), digest: false, ...settings },
      options: { shipping: { beforeExport: ({ gift, ...order }) => !gift && { gift, ...order } } },
    })
  }
  const save = (order: Record<string, unknown> = {}) =>
    saveOrder(world.store.payload, anOrder(order))
  const become = (id: number | string, status: string) =>
    world.store.payload.update({ collection: 'orders', id, data: { status } })
  const said = () => world.mails.map(({ subject }) => subject.replace(/\..*/, ''))

  it('unless it has one, whatever its status is', async () => {
    await open()
    const { id, reference } = await save()
    await world.store.handle(noticeRequest({ order_number: reference, tracking_number: '9400' }))
    await become(id, 'processing')
    await world.pass(80 * hour, 40 * hour)
    expect(said()).toEqual([])
  })

  it('unless the store keeps it back', async () => {
    await open()
    await save({ gift: true })
    await world.store.handle(exportRequest())
    await world.pass(80 * hour, 40 * hour)
    expect(said()).toEqual([])
  })

  it('since it was paid, and not since it was made', async () => {
    await open()
    const { id } = await save({ status: 'cancelled' })
    await world.pass(70 * hour, 35 * hour)
    await become(id, 'processing')
    await world.pass(70 * hour, 35 * hour)
    expect(said()).toEqual([])
    await world.pass(4 * hour, 2 * hour)
    expect(said()).toEqual(['1 paid order waits for its shipment'])
  })

  it('also behind many that were paid later', async () => {
    await open()
    const made = new Date().toISOString()
    const paidLater = new Date(Date.now() + 70 * hour * 60_000).toISOString()
    const statusChanges = [
      { status: 'pending', at: made, count: 1 },
      { status: 'processing', at: paidLater, count: 1 },
    ]
    const later = { statusChanges, createdAt: made, updatedAt: made }
    await savePastOrders(world.store.payload, Array<typeof later>(150).fill(later))
    await save()
    await world.pass(80 * hour, 40 * hour)
    expect(said()).toEqual(['1 paid order waits for its shipment'])
  })

  it('in each of the statuses that the settings name, for the hours that they name', async () => {
    await open({ paidStatuses: ['completed', 'refunded'], unshippedHours: 1 })
    for (const status of ['processing', 'completed', 'refunded']) await save({ status })
    await world.pass(50, 25)
    expect(said()).toEqual([])
    await world.pass(20, 5)
    expect(said()).toEqual(['2 paid orders wait for their shipment'])
  })

  it('until it is in the trash, or older than 30 days', async () => {
    await open()
    const { id } = await save()
    await world.pass(80 * hour, 40 * hour)
    const deletedAt = new Date().toISOString()
    await world.store.payload.update({ collection: 'orders', id, data: { deletedAt } })
    await world.pass(1)
    const over = 'No paid order waits too long for its shipment any more'
    expect(said()).toEqual(['1 paid order waits for its shipment', over])
    await save()
    await world.pass(80 * hour, 40 * hour)
    await world.pass(31 * 24 * hour, 31 * 24 * hour)
    expect(said().slice(2)).toEqual(['1 paid order waits for its shipment', over])
  })
})

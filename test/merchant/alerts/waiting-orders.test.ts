import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { StoredAlertSettings } from '../../../src/merchant/alerts/alert-settings.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { copyOrders, savePastOrders } from '../../support/past-orders.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { itOnceOn } from '../../support/it-once.js'
import { databaseKinds } from '../../support/store.js'
import { only, openAlertWorld, type AlertWorld } from './alert-world.js'

const hour = 60

describe.each(databaseKinds)('A paid order waits for its shipment (%s)', (kind) => {
  const itOnce = itOnceOn(kind)
  let world: AlertWorld
  afterEach(() => world.close())

  const open = async (settings = {}, options = {}) => {
    world = await openAlertWorld(kind, {
      settings: { ...only('unshipped'), digest: false, ...settings },
      options: {
        ...options,
        shipping: { beforeExport: ({ gift, ...order }) => !gift && { gift, ...order } },
      },
    })
  }
  const save = (order: Record<string, unknown> = {}) => saveOrder(world.payload, anOrder(order))
  const become = (id: number | string, status: string) =>
    world.payload.update({ collection: 'orders', id, data: { status } })
  const said = () => world.mails.map(({ subject }) => subject.replace(/\..*/, ''))

  it('unless it has one, whatever its status is, or the store keeps it back', async () => {
    await open()
    await save({ gift: true })
    await world.handle(exportRequest())
    const { id, reference } = await save()
    await world.handle(noticeRequest({ order_number: reference, tracking_number: '9400' }))
    await become(id, 'processing')
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

  itOnce('also behind many that were paid later', async () => {
    await open()
    const made = new Date().toISOString()
    const paidLater = new Date(Date.now() + 70 * hour * 60_000).toISOString()
    const statusChanges = [
      { status: 'pending', at: made, count: 1 },
      { status: 'processing', at: paidLater, count: 1 },
    ]
    const later = { statusChanges, createdAt: made, updatedAt: made }
    await savePastOrders(world.payload, Array<typeof later>(150).fill(later))
    await save()
    await world.pass(80 * hour, 40 * hour)
    expect(said()).toEqual(['1 paid order waits for its shipment'])
  })

  it('and is named, with a link, and so are the first of many', async () => {
    await open()
    const { id, reference } = await save()
    for (let count = 0; count < 6; count++) {
      world.move(60_000)
      await save()
    }
    await world.pass(80 * hour, 40 * hour)
    const url = `https://shop.example/admin/collections/orders/${id}`
    const [mail] = world.mails
    expect(mail?.text).toContain(`${reference}: ${url}\n`)
    expect(mail?.html).toContain(`<a href="${url}">${reference}</a>`)
    const body = JSON.parse(String(world.posted[0]?.body)) as { data: { orders: object[] } }
    expect(body.data.orders[0]).toEqual({ number: reference, url })
    expect(body.data.orders).toHaveLength(5)
    const { open: listed } = await world.parts.alerts.state()
    expect(listed[0]?.facts.orders?.[0]).toEqual({ id, number: reference })
  })

  it('in each of the statuses that the settings name, for the hours that they name', async () => {
    await open({ paidStatuses: ['completed', 'refunded'], unshippedHours: 1 })
    for (const status of ['processing', 'completed', 'refunded']) await save({ status })
    await world.pass(50, 25)
    expect(said()).toEqual([])
    await world.pass(20, 5)
    expect(said()).toEqual(['2 paid orders wait for their shipment'])
  })

  itOnce('in the statuses of the store, where none were saved before one was needed', async () => {
    await open()
    await save()
    await world.saveSettings({ digest: false })
    const { db } = world.payload
    const slug = 'alert-settings'
    const stored: Record<string, unknown> = await db.findGlobal({ slug })
    await db.updateGlobal({ slug, data: { ...stored, paidStatuses: [] } })
    await world.pass(80 * hour, 40 * hour)
    expect(said()).toEqual(['1 paid order waits for its shipment'])
  })

  itOnce('for hours of business days, where the settings count those', async () => {
    // Friday, 17:00 in Berlin; the world opens on a Monday.
    await open({ unshippedHours: 72, businessDays: true }, { timezone: 'Europe/Berlin' })
    world.moveTo('2026-11-27T16:00:00Z')
    await save()
    // Wednesday, 17:00 in Berlin.
    await world.pass(5 * 24 * hour, 12 * hour)
    expect(said()).toEqual([])
    await world.pass(1)
    expect(said()).toEqual(['1 paid order waits for its shipment'])
  })

  itOnce('until it is in the trash, or older than 30 days', async () => {
    await open()
    const { id } = await save()
    await world.pass(80 * hour, 40 * hour)
    const deletedAt = new Date().toISOString()
    await world.payload.update({ collection: 'orders', id, data: { deletedAt } })
    await world.pass(hour, hour)
    const over = 'No paid order of the last 30 days waits too long for its shipment any more'
    expect(said()).toEqual(['1 paid order waits for its shipment', over])
    await save()
    await world.pass(80 * hour, 40 * hour)
    await world.pass(31 * 24 * hour, 31 * 24 * hour)
    expect(said().slice(2)).toEqual(['1 paid order waits for its shipment', over])
  })
})

describe.each(databaseKinds)('A paid order waits for a pull (%s)', (kind) => {
  const itOnce = itOnceOn(kind)
  const open = async (settings: Partial<StoredAlertSettings> = {}) => {
    const world = await openAlertWorld(kind, {
      settings: { ...only('noPull'), digest: false, ...settings },
    })
    onTestFinished(() => world.close())
    return world
  }
  const said = ({ mails }: AlertWorld) => mails.map(({ subject }) => subject.replace(/\..*/, ''))
  const noPull = 'ShipStation asks for no orders, and paid orders wait'

  itOnce('for hours of business days, where the settings count those', async () => {
    const world = await open({ businessDays: true })
    const { payload, handle } = world
    // Twelve hours of business days later, it is six o'clock on Monday.
    world.moveTo('2026-11-27T18:00:00Z')
    await handle(exportRequest())
    await world.pass(1)
    await saveOrder(payload, anOrder({ updatedAt: new Date().toISOString() }))
    await world.pass(59 * hour, hour)
    expect(said(world)).toEqual([])
    await world.pass(hour, hour)
    expect(said(world)).toEqual([noPull])
  })

  itOnce('unless it has not changed for 30 days', async () => {
    const world = await open()
    const { payload, handle } = world
    await handle(exportRequest())
    await world.pass(1)
    await saveOrder(payload, anOrder({ updatedAt: new Date().toISOString() }))
    await world.pass(31 * 24 * hour, 31 * 24 * hour)
    expect(said(world)).toEqual([])
    await saveOrder(payload, anOrder({ updatedAt: new Date().toISOString() }))
    await world.pass(1)
    expect(said(world)).toEqual([noPull])
  })

  it('also among more than 5,000 that changed at the same moment', async () => {
    const world = await open()
    const { payload, handle } = world
    await handle(exportRequest())
    await world.pass(1)
    const { id: model } = await saveOrder(payload, anOrder({ status: 'completed' }))
    const at = new Date().toISOString()
    await copyOrders(payload, { model, count: 5_200, at })
    const { reference } = await saveOrder(payload, anOrder({ updatedAt: at }))
    await world.pass(14 * hour, 7 * hour)
    expect(said(world)).toEqual([noPull])
    expect(world.mails[0]?.text).toContain(reference)
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { marketingSettingsSlug } from '../../../src/marketing/settings/marketing-settings.js'
import { aLine, anOrder, saveOrder, type SavedOrder } from '../../support/orders.js'
import { createProduct } from '../../support/products.js'
import { databaseKinds } from '../../support/store.js'
import { shipNotice } from '../../shipping/notice/ship-notice-document.js'
import { noticeRequest } from '../../support/shipping-requests.js'
import { eventShop } from './event-shop.js'

describe.each(databaseKinds)('What happens to an order (%s)', (kind) => {
  const shop = eventShop(kind)

  const save = (changes: Record<string, unknown> = {}, context = {}) =>
    saveOrder(shop.payload, anOrder(changes), { context })

  const sentFor = async ({ number }: SavedOrder) =>
    (await shop.events(number)).map(({ name, uniqueId }) => [name, uniqueId.slice(number.length)])

  /** After Placed Order and Ordered Product. */
  const laterOf = async (order: SavedOrder) => (await sentFor(order)).slice(2)

  const settings = (data: Record<string, unknown>) =>
    shop.payload.updateGlobal({ slug: marketingSettingsSlug, data })

  afterEach(() => {
    // Nobody is named in the log.
    expect(shop.log.text()).not.toMatch(/ada@example|Lovelace/)
  })

  it('is Placed Order and one Ordered Product per line', async () => {
    const order = await save({ items: [aLine(), aLine({ sku: 'CUP-1', quantity: 1 })] })
    expect(await sentFor(order)).toEqual([
      ['Placed Order', ''],
      ...order.items.map(({ id }) => ['Ordered Product', `:${id}`]),
    ])
    const [placed, product] = await shop.events(order.number)
    expect(placed).toMatchObject({
      value: 42.5,
      valueCurrency: 'USD',
      properties: { OrderNumber: order.number, OrderReference: order.reference },
    })
    expect(product?.value).toBe(35)
  })

  it('has the categories and brands of the products as they were bought, and why it was cancelled', async () => {
    const data = { categories: ['Tea', 'Green'], brand: 'Kettle' }
    const [tea, pot] = [await createProduct(shop.payload, data), await createProduct(shop.payload)]
    const items = [aLine({ product: tea }), aLine({ product: pot })]
    const order = await save({ items, reason: 'Out of stock' })
    await shop.payload.update({ collection: 'products', id: tea, data: { brand: 'Other' } })
    await shop.update('orders', order.id, { status: 'cancelled' })
    const [placed, product, , cancelled] = await shop.events(order.number)
    const groups = { Categories: ['Tea', 'Green'], Brand: 'Kettle' }
    expect(placed?.properties).toMatchObject({
      Categories: groups.Categories,
      Brands: ['Kettle'],
      Items: [groups, { ProductID: pot }],
    })
    expect(placed?.properties).not.toHaveProperty('Reason')
    expect(product?.properties).toMatchObject({ ...groups, ProductBrand: 'Kettle' })
    expect(cancelled?.properties).toMatchObject({ Reason: 'Out of stock', Brands: ['Kettle'] })
  })

  it("is about a person whose language is the site's", async () => {
    const handle = 'wien'
    const site = await shop.payload.create({
      collection: 'sites',
      data: { name: 'Wien', handle, baseUrl: `https://${handle}.example`, language: 'de-AT' },
    })
    await save({ site: site.id })
    const [placed] = await shop.reported()
    expect(placed?.message.profile.locale).toBe('de-AT')
    await shop.payload.delete({ collection: 'sites', id: site.id })
  })

  it('is sent with every change of status, by its label and count', async () => {
    const order = await save()
    for (const status of ['completed', 'processing', 'completed', 'cancelled', 'processing']) {
      await shop.update('orders', order.id, { status })
    }
    await shop.update('orders', order.id, { status: 'cancelled' })
    expect(await laterOf(order)).toEqual([
      ['Completed Order', ':completed:1'],
      ['Processing Order', ':processing:2'],
      ['Completed Order', ':completed:2'],
      ['Cancelled Order', ''],
      ['Processing Order', ':processing:3'],
      ['Cancelled Order', ':cancelled:2'],
    ])
  })

  it('is Refunded Order by its number at the first refund, by number and count at the second', async () => {
    const order = await save({ reason: 'Broken' })
    for (const status of ['refunded', 'processing', 'refunded']) {
      await shop.update('orders', order.id, { status })
    }
    const refunds = (await shop.events(order.number)).filter(
      ({ name }) => name === 'Refunded Order',
    )
    const properties = { Reason: 'Broken', Items: [{ SKU: 'TEA-1' }] }
    expect(refunds).toMatchObject([
      { uniqueId: order.number, properties },
      { uniqueId: `${order.number}:refunded:2`, properties },
    ])
  })

  it('is one shipped event per parcel, with carrier and tracking number', async () => {
    const order = await save()
    const parcel = { carrier: 'UPS', service: 'Ground', tracking_number: '1Z999' }
    expect((await shop.ship(order.reference, parcel)).status).toBe(200)
    const [, , shipped] = await shop.events(order.number)
    expect(shipped).toMatchObject({
      name: 'Shipped Order',
      uniqueId: `${order.number}:1Z999`,
      properties: {
        ...{ Carrier: 'UPS', Service: 'Ground', TrackingNumber: '1Z999' },
        Items: [{ SKU: 'TEA-1', Quantity: 2 }],
      },
    })

    // The same again is no further parcel.
    await shop.ship(order.reference, parcel)
    expect(await laterOf(order)).toHaveLength(1)
    await shop.ship(order.reference, { ...parcel, tracking_number: '1Z000' })
    expect(await laterOf(order)).toEqual([
      ['Shipped Order', ':1Z999'],
      ['Shipped Order', ':1Z000'],
    ])
  })

  it('is told as partly shipped until the last item is in a parcel', async () => {
    const order = await save({ items: [aLine(), aLine({ sku: 'CUP-1', quantity: 1 })] })
    const ship = ([tracking, sku, quantity]: readonly [string, string, string]) => {
      const items = [{ SKU: sku, Quantity: quantity }]
      const body = shipNotice({ TrackingNumber: tracking }, items)
      return shop.handle(noticeRequest({ order_number: order.reference }, { body }))
    }
    for (const parcel of [
      ['A', 'TEA-1', '1'],
      ['B', 'CUP-1', '1'],
      ['C', 'TEA-1', '1'],
    ] as const) {
      expect((await ship(parcel)).status).toBe(200)
    }
    const [, , , ...parcels] = await shop.events(order.number)
    expect(parcels.map(({ properties }) => properties)).toMatchObject([
      { TrackingNumber: 'A', PartlyShipped: true, ItemsNotShipped: 2 },
      { TrackingNumber: 'B', PartlyShipped: true, ItemsNotShipped: 1 },
      { TrackingNumber: 'C', PartlyShipped: false, ItemsNotShipped: 0 },
    ])
    const whole = await save()
    await shop.ship(whole.reference, { tracking_number: 'D' })
    const [, , shipped] = await shop.events(whole.number)
    expect(shipped?.properties).not.toHaveProperty('PartlyShipped')
  })

  it('is one shipped event with the tracking entry, where no parcel is known', async () => {
    const order = await save()
    const tracking = [{ carrier: 'DHL', service: 'Paket', trackingNumber: '00340' }]
    await shop.update('orders', order.id, { status: 'shipped', tracking })
    expect((await shop.events(order.number)).slice(2)).toMatchObject([
      { uniqueId: `${order.number}:shipped:1`, properties: { TrackingNumber: '00340' } },
    ])
  })

  it('is not sent again when somebody saves the order unchanged', async () => {
    const order = await save()
    await shop.ship(order.reference, { carrier: 'UPS', service: '', tracking_number: 'A1' })
    const before = await shop.reported()
    await shop.update('orders', order.id, { internalNotes: 'Called the customer' })
    await shop.update('orders', order.id, { status: 'shipped' })
    expect(await shop.reported()).toEqual(before)
  })

  it('is not sent for an import, not by a restarted feed either', async () => {
    const order = await save({}, { storeconnect: 'import' })
    const context = { storeconnect: 'import' }
    await shop.update('orders', order.id, { status: 'completed', context })
    expect(await sentFor(order)).toEqual([])
    await shop.restartFeeds()
    expect(await sentFor(order)).toEqual([])
    // What happens later is.
    await shop.update('orders', order.id, { status: 'cancelled' })
    expect(await sentFor(order)).toEqual([['Cancelled Order', '']])
  })

  it('is reported by nobody but the shop: its history can be neither written nor read', async () => {
    const statusChanges = [{ status: 'processing', at: '2020-01-01T00:00:00.000Z', count: 7 }]
    const { id } = await save({ statusChanges })
    const read = () => shop.payload.findByID({ collection: 'orders', id })
    const own = { statusChanges: [{ status: 'processing', count: 1, placed: true }] }
    expect(await read()).toMatchObject(own)
    await shop.update('orders', id, { statusChanges })
    expect(await read()).toMatchObject(own)
    const user = { id: 1, collection: 'users', email: 'a@example.com', roles: ['admin'] }
    const asked = { collection: 'orders', id, overrideAccess: false, user } as const
    expect(await shop.payload.findByID(asked)).not.toHaveProperty('statusChanges')
  })

  it('is called and switched as the settings say', async () => {
    await settings({
      eventPrefix: 'Tea',
      builtInEvents: { orderedProduct: false, refundedOrder: false },
      statusEvents: [{ status: 'shipped', event: 'Fulfilled Order' }],
    })
    const order = await save()
    await shop.update('orders', order.id, { status: 'refunded' })
    await shop.ship(order.reference, { carrier: 'UPS', service: '', tracking_number: 'C1' })
    expect((await sentFor(order)).map(([name]) => name)).toEqual([
      'Tea Placed Order',
      'Tea Fulfilled Order',
    ])
  })

  it('is sent though somebody saves the order with few of its fields selected', async () => {
    const order = await save()
    const changed = { collection: 'orders', id: order.id, data: { status: 'completed' } } as const
    await shop.payload.update({ ...changed, select: { reference: true } })
    expect(await laterOf(order)).toEqual([['Completed Order', ':completed:1']])
  })

  it('is Placed Order when it gets its first status', async () => {
    const order = await save({ status: null })
    expect(await sentFor(order)).toEqual([])
    await shop.update('orders', order.id, { status: 'processing' })
    expect((await sentFor(order)).map(([name]) => name)).toEqual([
      'Placed Order',
      'Ordered Product',
    ])
    await shop.update('orders', order.id, { status: 'completed' })
    expect((await sentFor(order)).at(-1)).toEqual(['Completed Order', ':completed:1'])
  })

  it('is sent with the id of its account only under the email of that account', async () => {
    const data = { email: 'zofia@example.com', password: 'a long password' }
    const { id } = await shop.payload.create({ collection: 'users', data })
    const idsOf = async (customerEmail: string | null) => {
      const order = await save({ customer: id, customerEmail })
      const { message } =
        (await shop.reported()).find(({ key }) => key.includes(order.number)) ?? {}
      return [message?.profile.email, message?.profile.externalId]
    }
    expect(await idsOf(null)).toEqual(['zofia@example.com', String(id)])
    expect(await idsOf('')).toEqual(['zofia@example.com', String(id)])
    expect(await idsOf('Zofia@Example.com')).toEqual([
      expect.stringMatching(/^zofia@example\.com$/i),
      String(id),
    ])
    expect(await idsOf('somebody@example.com')).toEqual(['somebody@example.com', undefined])
  })

  it('has names that the platform takes: the settings refuse longer ones', async () => {
    const event = 'x'.repeat(64)
    await expect(settings({ statusEvents: [{ status: 'shipped', event }] })).rejects.toThrow()
    await expect(settings({ eventPrefix: event })).rejects.toThrow()
    const longest = event.slice(1)
    await settings({
      eventPrefix: longest,
      statusEvents: [{ status: 'completed', event: longest }],
    })
    const order = await save()
    await shop.update('orders', order.id, { status: 'completed' })
    expect((await shop.events(order.number)).at(-1)?.name).toBe(`${longest} ${longest}`)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../src/core/database/database.js'
import { sendTable } from '../../src/marketing/delivery/send-table.js'
import { partsOf } from '../support/parts.js'
import { catchUpFeeds } from '../support/catch-up-feeds.js'
import { anEvent } from '../support/new-sends.js'
import { anOrder, overwriteOrder, saveOrder } from '../support/orders.js'
import { copyOrders, savePastOrders } from '../support/past-orders.js'
import { exportRequest, noticeRequest } from '../support/shipping-requests.js'
import { databaseKinds, type TestStore } from '../support/store.js'
import { shopOrigin } from '../support/browser.js'
import { openUuidStore } from './uuid-store.js'

const unknownId = '00000000-0000-4000-8000-000000000000'

// The last tests set the clock, and a feed does not find what was saved a minute before its own time.
const inOrder = { timeout: 180_000, shuffle: false }

describe.each(databaseKinds)('A store whose ids are uuids (%s)', inOrder, (kind) => {
  let store: TestStore
  let aheadMs = 0

  beforeAll(async () => {
    store = await openUuidStore(kind, {
      options: {
        productUrl: ({ productId }) => `/products/${productId}`,
        shipping: { settings: { pageSize: 2 } },
      },
      effects: { now: () => new Date(Date.now() + aheadMs) },
    })
    await store.payload.create({
      collection: 'sites',
      data: {
        name: 'Shop',
        handle: 'shop',
        baseUrl: 'https://shop.example',
        enabled: true,
        primary: true,
        cartUrl: '/cart',
      },
    })
  })
  afterAll(() => store.close())

  /** All pages of the orders of the last hour. */
  const pull = async (): Promise<string> => {
    const [start_date, end_date] = [-1, 1].map((hours) =>
      new Date(Date.now() + hours * 3_600_000).toISOString(),
    )
    const window = { start_date: String(start_date), end_date: String(end_date) }
    const pages: string[] = []
    let last = 1
    while (pages.length < last) {
      const page = String(pages.length + 1)
      const response = await store.handle(exportRequest({ ...window, page }))
      expect(response.status).toBe(200)
      const xml = await response.text()
      last = Number(/pages="(\d+)"/.exec(xml)?.[1])
      pages.push(xml)
    }
    return pages.join('')
  }
  const aProduct = () =>
    store.payload.create({
      collection: 'products',
      data: {
        title: 'Green tea',
        sku: 'TEA-1',
        image: '/tea.png',
        inventory: 10,
        priceInUSDEnabled: true,
        priceInUSD: 1750,
        _status: 'published',
      },
    })
  const orderOf = (id: number | string) =>
    store.payload.findByID({ collection: 'orders', id, depth: 0 })
  /** Names of the events of an email address. */
  const eventsOf = async (email: string) => {
    await catchUpFeeds(store.payload)
    const { docs } = await store.payload.find({
      collection: 'marketing-sends',
      where: { profile: { contains: email } },
      sort: 'id',
    })
    return docs.flatMap((send) => (send as { metric?: string }).metric ?? [])
  }

  it('has ascending numbers as ids of its sends', async () => {
    const { outbox } = partsOf(store.payload)
    await outbox.store(['a', 'b'].map((key) => anEvent(key)))
    const { docs } = await store.payload.find({
      collection: 'marketing-sends',
      where: { profile: { equals: 'email:ada@example.com' } },
      sort: 'id',
    })
    const [a, b] = docs.map(({ id }) => Number(id))
    expect(Number(b) - Number(a)).toBe(1)
  })

  it('is refused at start-up when the ids of its sends are no sequence', () => {
    const database = sqlDatabase(store.payload)
    const tableOf = () => database.table('users')
    expect(() => sendTable({ ...database, table: tableOf })).toThrow(
      'Storeconnect needs ascending numbers as ids of "marketing-sends", and this database has others.',
    )
  })

  it('exports each order once, takes shipments, also by an id, and sends events of both', async () => {
    const customerEmail = 'buyer@shop.example'
    const orders = [await saveOrder(store.payload, anOrder({ customerEmail }))]
    for (let count = 0; count < 2; count++) orders.push(await saveOrder(store.payload))
    const numbers = (await pull()).match(/(?<=<OrderNumber>)[^<]+/g) ?? []
    expect(numbers).toEqual(expect.arrayContaining(orders.map(({ reference }) => reference)))
    expect(new Set(numbers).size).toBe(numbers.length)
    const [sold, old] = [orders[0]!, orders[1]!]
    await overwriteOrder(store.payload, old.id, { reference: null })
    for (const [id, order_number] of [
      [sold.id, sold.reference],
      [old.id, String(old.id)],
    ] as const) {
      const notice = { order_number, carrier: 'UPS', tracking_number: '1Z' }
      expect((await store.handle(noticeRequest(notice))).status).toBe(200)
      expect(await orderOf(id)).toMatchObject({ status: 'shipped' })
    }
    const sent = ['Placed Order', 'Ordered Product', 'Shipped Order']
    expect(await eventsOf(customerEmail)).toEqual(sent)
  })

  it.each(['NO-SUCH', '17', unknownId])('knows no order %s', async (order_number) => {
    expect((await store.handle(noticeRequest({ order_number }))).status).toBe(404)
    const { previewOrder } = partsOf(store.payload)
    expect(await previewOrder(order_number, shopOrigin)).toMatchObject({ is: 'not-found' })
    const event = { 'event[name]': 'Looked', 'event[trackOrder]': '1' }
    const form = { email: 'looker@shop.example', ...event, 'event[orderId]': order_number }
    const visitor = store.aBrowser()
    const posted = await visitor.track(form)
    expect(posted.status).toBe(200)
    expect(await eventsOf('looker@shop.example')).toEqual([])
  })

  it("keeps a visitor's cart, and brings it back to another one", async () => {
    const product = await aProduct()
    const visitor = store.aBrowser()
    const form = { productId: String(product.id), qty: '2' }
    const filled = await visitor.post('/actions/commerce/cart/update-cart', form, { ajax: true })
    expect(filled.status).toBe(200)
    const { number } = (await filled.json()) as { number: string }

    const another = store.aBrowser()
    const restored = await another.get(`/actions/marketingconnect/cart/restore?number=${number}`)
    expect(restored.headers.get('location')).toBe('https://shop.example/cart')
    const again = await another.post('/actions/commerce/cart/update-cart', {}, { ajax: true })
    expect(await again.json()).toMatchObject({ number, quantity: 2 })
  })

  it('says on the pages what is looked at and added, and whose the cart is', async () => {
    const data = { publicApiKey: 'SITEID' }
    await store.payload.updateGlobal({ slug: 'marketing-settings', data })
    const { id } = await aProduct()
    const visitor = store.aBrowser()
    const consent = { consent: '1', _kx: 'kx-Grace' }
    await visitor.post('/actions/marketingconnect/onsite/visitor', consent)
    await visitor.post('/actions/commerce/cart/update-cart', { productId: String(id) })
    const added = decodeURIComponent(visitor.cookies.get('__Host-storeconnect-added') ?? '')
    const answer = await visitor.get(`/actions/marketingconnect/onsite/added-to-cart?${added}`)
    expect(await answer.json()).toMatchObject([{ properties: { AddedItemProductID: id } }])
    const { viewedProduct } = partsOf(store.payload).onsite
    expect(await viewedProduct({ productId: id, siteId: undefined })).toMatchObject({
      properties: { ProductID: id, Price: 17.5 },
    })
    const { cartId = '' } = await visitor.session()
    expect(await store.payload.findByID({ collection: 'carts', id: cartId })).toMatchObject({
      exchangeId: 'kx-Grace',
    })
  })

  it('delivers, and sends its past orders', async () => {
    const { delivery, histories } = partsOf(store.payload)
    const year = { from: '2025-01-01', to: '2026-01-01' }
    const { run } = await histories.start(year, { startedBy: undefined })
    await delivery.runUntilIdle({ deadline: new Date(Date.now() + 60_000) })
    expect(await histories.find(run.id)).toMatchObject({ state: 'done', total: 0 })
    const lease = await store.payload.db.findOne({ collection: 'marketing-lease', where: {} })
    expect(lease).toMatchObject({ epoch: 1 })
    for (const { id } of [run, { id: lease?.id }]) expect(id).toMatch(/^[\da-f-]{36}$/)
  })

  it('feeds its products', async () => {
    await aProduct()
    const feed = 'https://shop.example/actions/marketingconnect/catalog/products'
    const items: unknown = await (await store.handle(new Request(feed))).json()
    expect(items).toContainEqual(
      expect.objectContaining({ title: 'Green tea', image_link: 'https://shop.example/tea.png' }),
    )
  })

  it('finds orders that wait for their shipment, page by page', async () => {
    const { payload } = store
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    const made = (hours: number, status: string) => ({
      createdAt: hoursAgo(hours),
      updatedAt: hoursAgo(hours),
      status,
    })
    const [model] = await savePastOrders(payload, [made(30, 'completed')])
    await copyOrders(payload, { model: model?.id ?? '', count: 2_000, at: hoursAgo(29) })
    await savePastOrders(payload, Array(5).fill(made(24, 'refunded')))
    await payload.updateGlobal({
      slug: 'alert-settings',
      data: { recipients: ['ada@shop.example'], paidStatuses: ['refunded'], unshippedHours: 1 },
    })
    const { delivery, alerts } = partsOf(payload)
    // The watchman goes round once a minute.
    aheadMs += 60_000
    await delivery.runUntilIdle({ deadline: new Date(Date.now() + 120_000) })
    const { open } = await alerts.state()
    const found = open.find(({ condition }) => condition === 'unshipped')
    expect(found?.facts).toMatchObject({ count: 5 })
    expect(new Set(found?.facts.orders?.map(({ id }) => id)).size).toBe(5)
  })

  it('finds a payment that has no order', async () => {
    const { payload } = store
    const cart = await payload.create({
      collection: 'carts',
      data: { items: [{ product: (await aProduct()).id, quantity: 1 }], currency: 'USD' },
    })
    const paid = { amount: 1750, currency: 'USD', paymentMethod: 'demo', status: 'succeeded' }
    const { id } = await payload.create({
      collection: 'transactions',
      data: { ...paid, cart: cart.id, items: [] },
    })
    aheadMs += 11 * 60_000
    const { open } = await partsOf(payload).alerts.matters()
    expect(open.find(({ name }) => name === 'paidNoOrder')?.facts.payments).toMatchObject([{ id }])
  })
})

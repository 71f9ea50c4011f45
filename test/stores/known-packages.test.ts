import { beforeAll, describe, expect, it } from 'vitest'
import { itemsOf, readExport, skippedOrders, textAt } from '../support/exported-orders.js'
import {
  aLine,
  anAddress,
  anOrder,
  aPurchase,
  saveOrder,
  type SavedOrder,
} from '../support/orders.js'
import { partsOf } from '../support/parts.js'
import { createVariants } from '../support/products.js'
import { exportRequest, noticeRequest } from '../support/shipping-requests.js'
import { shared } from '../support/shared-store.js'
import { anyKind, databaseKinds, openShapedStore, type TestStore } from '../support/store.js'
import { orderEvents, reportedOf } from '../support/order-events.js'
import { packagesConfig } from './known-packages-config.js'

type Data = Record<string, unknown>

/** An order whose amounts are in the fields of packages alone. */
const ofPackages = (changes: Data = {}) =>
  anOrder({
    shippingAmount: undefined,
    taxAmount: undefined,
    shippingMethod: undefined,
    ...changes,
  })

const exportedBy =
  (store: TestStore) =>
  async ({ id }: Pick<SavedOrder, 'id'>) => {
    const { orders } = await readExport(await store.handle(exportRequest()))
    return orders.find((order) => textAt(order, 'OrderID') === String(id))
  }

describe.each(databaseKinds)('A store with packages that Storeconnect knows (%s)', (kind) => {
  const store = shared(() => openShapedStore(kind, (_, url) => packagesConfig({ kind, url })))

  const exported = exportedBy(store)
  const save = (changes?: Data) => saveOrder(store.payload, ofPackages(changes))
  const refund = (order: SavedOrder, data: Data) =>
    store.payload.create({ collection: 'refunds', data: { order: order.id, ...data } })
  const read = (id: SavedOrder['id']) =>
    store.payload.findByID({ collection: 'orders', id, depth: 0 }) as unknown as Promise<
      SavedOrder & Data
    >

  it('lists what is read of them in the admin', () => {
    expect(partsOf(store.payload).overview.valueSources).toEqual([
      { value: 'refundedQuantity', from: 'payload-refunds (refundedQuantity)' },
      { value: 'discountAmount', from: 'payload-coupons (discount.amount)' },
      { value: 'discountCode', from: 'payload-coupons (discount.code)' },
      { value: 'shippingAmount', from: 'payload-shipping-rates (shipping.amount)' },
      { value: 'shippingMethod', from: 'payload-shipping-rates (shipping.method)' },
      { value: 'taxAmount', from: 'payload-tax-eu (tax.taxAmount)' },
      { value: 'reference', from: 'payload-order-numbers (orderNumber)' },
      { value: 'weight', from: 'payload-shipping-classes (weightGrams)' },
    ])
  })

  it('has the number of payload-order-numbers as the reference of an order', async () => {
    const order = await save()
    expect(String((order as unknown as Data).orderNumber)).toMatch(/^ORD-010\d\d$/)
    expect(order.reference).toBe((order as unknown as Data).orderNumber)
    expect(textAt(await exported(order), 'OrderNumber')).toBe(order.reference)
    const parcel = { order_number: order.reference, tracking_number: '1Z' }
    expect((await store.handle(noticeRequest(parcel))).status).toBe(200)
    expect(await read(order.id)).toMatchObject({ status: 'shipped' })
  })

  it('exports the shipping of payload-shipping-rates', async () => {
    const shipping = { method: 'next-day', label: 'Next day', type: 'flat', zone: '1', amount: 490 }
    const order = await exported(await save({ shipping }))
    expect(textAt(order, 'ShippingAmount')).toBe('4.90')
    expect(textAt(order, 'ShippingMethod')).toBe('next-day')
  })

  it('exports the tax of payload-tax-eu, unless the order says another one', async () => {
    const shippingAddress = anAddress({ country: 'DE' })
    const order = await save({ amount: 1190, shippingAddress })
    expect(textAt(await exported(order), 'TaxAmount')).toBe('1.90')
    const other = await save({ amount: 1190, shippingAddress, taxAmount: 200 })
    expect(textAt(await exported(other), 'TaxAmount')).toBe('2.00')
  })

  it("exports the weight of payload-shipping-classes in grams, a variant's before its product's", async () => {
    const { product, variants } = await createVariants(store.payload, [1250], {
      product: { weight: 1.25 },
      weight: 0.75,
    })
    const line = { product, quantity: 1 }
    const order = await save({ items: [line, { ...line, variant: variants[0] }] })
    expect(itemsOf(await exported(order))).toMatchObject([
      { Weight: '1250', WeightUnits: 'Grams' },
      { Weight: '750', WeightUnits: 'Grams' },
    ])
  })

  describe('and refunds of payload-refunds', () => {
    const twoLines = [
      aLine({ sku: 'TEA-1', name: 'Tea', quantity: 3, unitPrice: 1000 }),
      aLine({ sku: 'CUP-1', name: 'Cup', quantity: 1, unitPrice: 1250 }),
    ]
    const saved = () => save({ amount: 4250, items: twoLines })
    const lines = (order: SavedOrder, ...quantities: number[]) =>
      quantities.map((quantity, index) => ({ item: order.items[index]?.id, quantity }))

    it('exports what is left, and the order changed', async () => {
      const order = await saved()
      const before = await read(order.id)
      await refund(order, { amount: 2250, lines: lines(order, 1, 1) })
      const after = await read(order.id)
      expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
      const left = await exported(order)
      expect(itemsOf(left)).toMatchObject([{ SKU: 'TEA-1', Quantity: '2' }])
      expect(textAt(left, 'OrderTotal')).toBe('42.50')
    })

    it('leaves out an order of which nothing is left', async () => {
      const order = await saved()
      await refund(order, { amount: 4250, lines: lines(order, 3, 1) })
      expect(await read(order.id)).toMatchObject({ status: 'refunded' })
      expect(await exported(order)).toBeUndefined()
      const skipped = (await skippedOrders(store.payload)).find((each) => each.order === order.id)
      expect(skipped).toMatchObject({ codes: [{ code: 'ALL_REFUNDED' }] })
    })

    it('sends nothing for a part, and the refunded lines and their value with Refunded Order', async () => {
      const order = await saved()
      await refund(order, { amount: 900, lines: [{ ...lines(order, 1)[0], amount: 900 }] })
      expect(await orderEvents(store.payload, order)).toEqual(['Placed Order'])
      await refund(order, { amount: 3350, lines: lines(order, 2, 1) })
      const sent = await reportedOf(store.payload, order)
      expect(sent.map(({ name }) => name)).toEqual(['Placed Order', 'Refunded Order'])
      expect(sent[1]).toMatchObject({
        uniqueId: order.number,
        properties: {
          TotalPrice: 42.5,
          RefundedQuantity: 4,
          RefundedValue: 42.5,
          Items: [
            { SKU: 'TEA-1', Quantity: 3, RefundedQuantity: 3, RefundedValue: 9 },
            { SKU: 'CUP-1', Quantity: 1, RefundedQuantity: 1, RefundedValue: 12.5 },
          ],
        },
      })
    })
  })
})

describe('The packages', () => {
  it.each([{ shipping: false as const }, { marketing: false as const }])(
    'are read in a store with %o',
    async (options) => {
      const config = packagesConfig({ kind: anyKind, url: ':memory:', options })
      await expect(config).resolves.toBeDefined()
    },
  )
})

// With ids that are numbers, payload-coupons 1.0.1 can neither redeem a code nor save a cart with one.
describe.each(databaseKinds)('An order with a coupon of payload-coupons (%s)', (kind) => {
  const store = shared(() =>
    openShapedStore(kind, (_, url) => packagesConfig({ kind, url, idType: 'uuid' })),
  )
  const exported = exportedBy(store)
  const code = 'TEA3'
  const discount = { Name: `Discount ${code}`, UnitPrice: '-3.00', Adjustment: 'true' }
  let items: Data[]
  beforeAll(async () => {
    const amounts = [{ currency: 'USD', amount: 300 }]
    await store.payload.create({
      collection: 'coupons',
      data: { code, enabled: true, type: 'fixed', appliesTo: 'cart', amounts },
    })
    const price = { priceInUSDEnabled: true, priceInUSD: 1250 }
    const product = await store.payload.create({
      collection: 'products',
      data: { title: 'Green tea', sku: 'TEA-1', inventory: 9, _status: 'published', ...price },
    })
    items = [{ product: product.id, quantity: 1 }]
  })

  it('is exported with its discount', async () => {
    const order = await saveOrder(store.payload, ofPackages({ items, discount: { code } }))
    expect(itemsOf(await exported(order))).toMatchObject([{ SKU: 'TEA-1' }, discount])
  })

  it('has discount and shipping of the cart when the checkout makes it', async () => {
    const { payload } = store
    const shipping = { method: 'next-day', label: 'Next day', amount: 490 }
    const cart = (await payload.create({
      collection: 'carts',
      data: { items, currency: 'USD', discount: { code }, shipping },
    })) as unknown as { id: number; secret: string }
    const purchase = aPurchase(cart, 'ada@example.com')
    let answer: Data = {}
    for (const step of ['initiate', 'confirm-order']) {
      const response = await store.aBrowser().apiPost(`/payments/demo/${step}`, purchase)
      expect(response.status, await response.clone().text()).toBe(200)
      answer = (await response.json()) as Data
    }
    const { orderID: id } = answer as { orderID: string }
    const order = await exported({ id })
    expect(textAt(order, 'ShippingAmount')).toBe('4.90')
    expect(textAt(order, 'ShippingMethod')).toBe('next-day')
    expect(itemsOf(order)).toMatchObject([{ SKU: 'TEA-1' }, discount])
    // Only the store's own checkout redeems a code, as that can fail after the payment.
    const where = { order: { equals: id } }
    expect((await payload.count({ collection: 'coupon-redemptions', where })).totalDocs).toBe(0)
  })
})

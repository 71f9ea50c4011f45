import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { eventShop } from '../../marketing/feeds/event-shop.js'
import { itemsOf, readExport, skippedOrders } from '../../support/exported-orders.js'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { createProduct, createVariants } from '../../support/products.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { storeConfig } from '../../support/store-config.js'
import { databaseKinds, openShapedStore, type openStore } from '../../support/store.js'

type Data = Record<string, unknown>

interface Saved {
  id: number
  secret: string
}

const tea = {
  title: 'Green tea',
  sku: 'TEA-1',
  priceInUSD: 2000,
  weight: 250,
  weightUnit: 'g',
  image: 'https://shop.example/green.png',
  inventory: 100,
}

/** What a merchant may change while a shopper pays. */
const changed = {
  title: 'Black tea',
  sku: 'TEA-2',
  priceInUSD: 3500,
  weight: 1,
  weightUnit: 'kg',
  image: 'https://shop.example/black.png',
}

const exportedTea = {
  SKU: 'TEA-1',
  Name: 'Green tea',
  UnitPrice: '20.00',
  Weight: '250',
  ImageUrl: 'https://shop.example/green.png',
}

describe.each(databaseKinds)('The lines of an order that was paid (%s)', (kind) => {
  const shop = eventShop(kind, { cleared: ['transactions', 'carts', 'products'] })
  let product: number
  beforeEach(async () => {
    product = await createProduct(shop.payload, tea)
  })

  const create = async (collection: string, data: Data) =>
    (await shop.payload.create({ collection, data, depth: 0 })) as unknown as Saved
  const aCart = (line: Data = {}) =>
    create('carts', { items: [{ product, quantity: 1, ...line }], currency: 'USD' })
  const post = async (step: string, cart: Saved) => {
    const response = await shop.aBrowser().apiPost(`/payments/demo/${step}`, {
      cartID: cart.id,
      secret: cart.secret,
      customerEmail: 'ada@example.com',
    })
    expect(response.status, await response.clone().text()).toBe(200)
    return (await response.json()) as { orderID: number; transactionID: number }
  }
  const beginPayment = async (cart: Saved) => (await post('initiate', cart)).transactionID
  const confirmPayment = async (cart: Saved) => {
    const { orderID } = await post('confirm-order', cart)
    // The payment method of this store keeps none.
    await shop.update('orders', orderID, { shippingAddress: anAddress() })
  }
  const linesOf = async (payment: number) => {
    const where = { collection: 'transactions', id: payment, depth: 0 } as const
    const { items } = (await shop.payload.findByID(where)) as unknown as { items: Data[] }
    return items
  }
  const exportedItems = async () => {
    const { orders } = await readExport(await shop.handle(exportRequest()))
    return orders.flatMap((order) => itemsOf(order))
  }
  const ordered = async () => (await shop.events()).filter(({ name }) => name === 'Ordered Product')

  it('are as they were when the payment began, in the export and in events', async () => {
    const cart = await aCart()
    await beginPayment(cart)
    // A bank transfer takes days.
    shop.move(5 * 86_400_000)
    await shop.update('products', product, changed)
    await confirmPayment(cart)
    expect(await exportedItems()).toMatchObject([exportedTea])
    const events = (await shop.events()).filter(({ name }) => name.includes('Order'))
    expect(events).toMatchObject([
      { name: 'Placed Order', value: 20, properties: { ItemNames: ['Green tea'] } },
      { name: 'Ordered Product', value: 20, properties: { SKU: 'TEA-1', ItemPrice: 20 } },
    ])
  })

  it.each(['changed', 'deleted'])(
    'have price, SKU and options of a variant that is %s meanwhile',
    async (what) => {
      const parts = { product: tea, labels: ['Large'], sku: 'TEA-L', inventory: 10 }
      const made = await createVariants(shop.payload, [2100], parts)
      const [sized, variant, option] = [made.product, made.variants[0] ?? 0, made.options[0] ?? 0]
      const cart = await aCart({ product: sized, variant, quantity: 2 })
      await beginPayment(cart)
      await shop.update('variantOptions', option, { label: 'Huge' })
      await shop.update('products', sized, changed)
      if (what === 'changed') {
        await shop.update('variants', variant, { sku: 'TEA-H', priceInUSD: 9900 })
      } else {
        await shop.payload.delete({ collection: 'variants', id: variant })
        // The extension counts a cart's total anew when it is paid, and finds no price of a variant that is gone.
        await shop.update('carts', cart.id, { items: [{ product: sized, quantity: 2 }] })
      }
      await confirmPayment(cart)
      expect(await exportedItems()).toMatchObject([
        {
          ...exportedTea,
          SKU: 'TEA-L',
          UnitPrice: '21.00',
          Quantity: '2',
          Options: { Option: [{ Name: 'Size', Value: 'Large' }] },
        },
      ])
    },
  )

  it('are those of the payment that was paid, where an earlier one failed', async () => {
    const cart = await aCart()
    const failed = await beginPayment(cart)
    await shop.update('transactions', failed, { status: 'failed' })
    await shop.update('products', product, { priceInUSD: 2500, title: 'White tea' })
    // The extension counts a cart's total anew when the cart is saved.
    await shop.update('carts', cart.id, { items: [{ product, quantity: 3 }] })
    const paid = await beginPayment(cart)
    await shop.update('products', product, changed)
    await confirmPayment(cart)
    const bought = { Name: 'White tea', UnitPrice: '25.00', Quantity: '3' }
    expect(await exportedItems()).toMatchObject([bought])

    // An order that a store makes itself may name both.
    const transactions = [failed, paid]
    const items = [{ product, quantity: 3 }]
    await saveOrder(shop.payload, anOrder({ transactions, items, amount: 7500 }))
    expect(await exportedItems()).toMatchObject([bought, bought])
  })

  it('begin anew with a payment whose lines or amount are changed, and with no other change of it', async () => {
    const payment = await beginPayment(await aCart())
    await shop.update('products', product, { ...changed, priceInUSD: 2200 })
    await shop.update('transactions', payment, { status: 'processing' })
    const items = [{ product, quantity: 1 }]
    const order = () => anOrder({ transactions: [payment], items, amount: 2000 })
    await saveOrder(shop.payload, order())
    await shop.update('transactions', payment, {
      items: [{ product, quantity: 2 }],
      amount: 4400,
    })
    await shop.update('products', product, { priceInUSD: 9900 })
    await saveOrder(shop.payload, order())
    expect((await exportedItems()).map(({ UnitPrice }) => UnitPrice)).toEqual(['20.00', '22.00'])
  })

  it('keep what the order says itself, and come from the products where the payment has no such line', async () => {
    const payment = await beginPayment(await aCart())
    const cups = await createProduct(shop.payload, { ...tea, title: 'Cup', sku: 'CUP' })
    await shop.update('products', product, changed)
    const [{ id } = {}] = await linesOf(payment)
    await saveOrder(
      shop.payload,
      anOrder({
        transactions: [payment],
        items: [
          // The line has another product by now.
          { id, product: cups, quantity: 1 },
          { product, quantity: 1, name: 'A gift', unitPrice: 0 },
          { product, quantity: 4 },
        ],
      }),
    )
    expect(await exportedItems()).toMatchObject([
      { Name: 'Cup', SKU: 'CUP' },
      { Name: 'A gift', SKU: 'TEA-1', UnitPrice: '0.00' },
      { Name: 'Green tea', UnitPrice: '20.00', Quantity: '4' },
    ])
  })

  it('stay those of a product that was deleted while it was being paid', async () => {
    const payment = await beginPayment(await aCart())
    await shop.payload.delete({ collection: 'products', id: product })
    const items = await linesOf(payment)
    await saveOrder(shop.payload, anOrder({ transactions: [payment], items, amount: 2000 }))
    expect(await exportedItems()).toMatchObject([exportedTea])
    expect(await ordered()).toMatchObject([{ value: 20, properties: { ProductName: 'Green tea' } }])
  })

  it('come from the products, as before, where the payment is older than this', async () => {
    const cart = await aCart()
    await beginPayment(cart)
    const database = sqlDatabase(shop.payload)
    await database.update(database.table('transactions'), { paidLines: null }, sql`true`)
    await shop.update('products', product, changed)
    await confirmPayment(cart)
    expect(await exportedItems()).toMatchObject([{ Name: 'Black tea', UnitPrice: '35.00' }])
  })
})

describe.each(databaseKinds)('A line of which the shop knows nothing (%s)', (kind) => {
  const shop = eventShop(kind, { cleared: ['products', 'shipping-skipped-orders'] })
  const lineEvents = async () =>
    (await shop.events()).filter(({ name }) => name === 'Ordered Product')
  const exported = async () => (await readExport(await shop.handle(exportRequest()))).references
  const reasons = async () => (await skippedOrders(shop.payload)).map(({ codes }) => codes)
  const code = (...codes: string[]) => codes.map((each) => ({ code: each, params: { line: 1 } }))

  it('keeps its order back with a reason, and is no Ordered Product', async () => {
    const nameless = await createProduct(shop.payload, { ...tea, title: '', sku: null })
    const priceless = await createProduct(shop.payload, { ...tea, priceInUSD: null })
    const free = await createProduct(shop.payload, { ...tea, priceInUSD: 0 })
    await saveOrder(shop.payload, anOrder({ items: [{ quantity: 2 }] }))
    await saveOrder(shop.payload, anOrder({ items: [{ product: nameless, quantity: 1 }] }))
    await saveOrder(shop.payload, anOrder({ items: [{ product: priceless, quantity: 1 }] }))
    const items = [{ product: free, quantity: 1 }]
    const { reference } = await saveOrder(shop.payload, anOrder({ items }))

    expect(await exported()).toEqual([reference])
    expect(await reasons()).toEqual(
      expect.arrayContaining([
        code('NO_ITEM_NAME', 'NO_UNIT_PRICE'),
        code('NO_ITEM_NAME'),
        code('NO_UNIT_PRICE'),
      ]),
    )
    const [unpriced, given, ...others] = await lineEvents()
    expect(others).toEqual([])
    // A price that is not known is not 0.
    expect(unpriced).not.toHaveProperty('value')
    expect(unpriced?.properties).not.toHaveProperty('ItemPrice')
    expect(given).toMatchObject({ value: 0, properties: { SKU: 'TEA-1' } })
  })

  it('lets its order go once the merchant names and prices it', async () => {
    const { id, items, reference } = await saveOrder(
      shop.payload,
      anOrder({ items: [{ quantity: 1 }] }),
    )
    expect(await exported()).toEqual([])
    const [line] = items
    const named = { ...line, quantity: 1, name: 'Green tea', unitPrice: 2000 }
    await shop.update('orders', id, { items: [named] })
    expect(await exported()).toEqual([reference])
    expect(await reasons()).toEqual([])
  })
})

/** A store whose texts have languages. Payload itself falls back to none. */
const openLocalized: typeof openStore = (kind, setup) =>
  openShapedStore(kind, (own, url) =>
    storeConfig({
      ...setup,
      kind: own,
      url,
      config: {
        ...setup?.config,
        localization: { locales: ['en', 'de', 'fr'], defaultLocale: 'en', fallback: false },
      },
    }),
  )

describe.each(databaseKinds)('The name of a line, in a store with languages (%s)', (kind) => {
  const shop = eventShop(kind, { open: openLocalized })
  const titled = async (titles: Record<string, string>) => {
    const product = await createProduct(shop.payload, { ...tea, title: undefined, sku: null })
    for (const [locale, title] of Object.entries(titles)) {
      // Payload takes the newest version for the one to change.
      shop.move(1_000)
      const data = { title, _status: 'published' }
      await shop.payload.update({
        collection: 'products',
        id: product,
        data,
        locale: locale,
      })
    }
    return product
  }

  it("is the title in the request's language, else in the shop's own, else in any", async () => {
    const items = [
      { product: await titled({ fr: 'Thé vert' }), quantity: 1 },
      { product: await titled({ fr: 'Thé noir', en: 'Black tea' }), quantity: 1 },
      { product: await titled({ de: 'Weißer Tee', en: 'White tea' }), quantity: 1 },
    ]
    for (const locale of ['de', 'all']) {
      await shop.payload.create({
        collection: 'orders',
        data: anOrder({ items }),
        locale: locale,
      })
    }
    const { orders } = await readExport(await shop.handle(exportRequest()))
    expect(orders.map((order) => itemsOf(order).map(({ Name }) => Name))).toEqual([
      ['Thé vert', 'Black tea', 'Weißer Tee'],
      ['Thé vert', 'Black tea', 'White tea'],
    ])
  })
})

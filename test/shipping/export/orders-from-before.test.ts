import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { changeOrder } from '../../support/orders.js'
import { itemsOf, optionsOf, readExport, skippedOrders } from '../../support/exported-orders.js'
import { createProduct, createVariants } from '../../support/products.js'
import { savePastOrders } from '../../support/past-orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { databaseKinds, openStore, type TestStore } from '../../support/store.js'

const createdAt = '2025-03-04T05:06:07.000Z'

describe.each(databaseKinds)('the lines of an order from before Storeconnect (%s)', (kind) => {
  let store: TestStore
  beforeEach(async () => {
    store = await openStore(kind)
  })
  afterEach(() => store.close())

  /** Orders whose lines have only the values that the extension stores. */
  const exportedItems = async (...orders: Record<string, unknown>[]) => {
    await savePastOrders(
      store.payload,
      orders.map((order, index) => ({
        createdAt,
        updatedAt: new Date(Date.UTC(2025, 3, 1, 0, index)).toISOString(),
        ...order,
      })),
    )
    const response = await store.handle(exportRequest())
    expect(response.status).toBe(200)
    const exported = await readExport(response)
    return exported.orders.map(itemsOf)
  }

  it('say what the product is now', async () => {
    const product = await createProduct(store.payload, {
      weight: 0.5,
      weightUnit: 'kg',
      image: '/media/tea.png',
    })
    const items = [{ product, quantity: 3 }]
    expect(await exportedItems({ items })).toEqual([
      [
        {
          SKU: 'TEA-1',
          Name: 'Green tea',
          Weight: '500',
          Quantity: '3',
          UnitPrice: '12.50',
          ImageUrl: 'https://shop.example/media/tea.png',
          WeightUnits: 'Grams',
          Adjustment: 'false',
          Options: '',
        },
      ],
    ])
  })

  it('say what the variant is now, and its options', async () => {
    const { product, variants } = await createVariants(store.payload, [900, 700], { sku: 'SMALL' })
    const items = [{ product, variant: variants[1], quantity: 1 }]
    const [[item] = []] = await exportedItems({ items })
    expect(item).toMatchObject({ SKU: 'SMALL', Name: 'Green tea', UnitPrice: '7.00' })
    expect(optionsOf(item ?? {})).toEqual(['Size: size-1'])
  })

  it('cost what the product costs in the currency of the order', async () => {
    const product = await createProduct(store.payload, { priceInJPY: 900 })
    const items = [{ product, quantity: 1 }]
    const [[dollars] = [], [yen] = []] = await exportedItems({ items }, { items, currency: 'JPY' })
    expect([dollars?.UnitPrice, yen?.UnitPrice]).toEqual(['12.50', '900.00'])
  })

  it('keep what they say themselves', async () => {
    const product = await createProduct(store.payload)
    const items = [
      { product, quantity: 1, name: 'Tea as a gift', options: [{ name: 'Wrap', value: 'Gold' }] },
      { product, quantity: 1, unitPrice: 0 },
      // Bought with Storeconnect, when the product had no SKU.
      { product, quantity: 1, name: 'Old tea', unitPrice: 100 },
    ]
    const [[named, free, bought] = []] = await exportedItems({ items })
    expect(named).toMatchObject({ Name: 'Tea as a gift', SKU: 'TEA-1', UnitPrice: '12.50' })
    expect(optionsOf(named ?? {})).toEqual(['Wrap: Gold'])
    expect(free).toMatchObject({ Name: 'Green tea', UnitPrice: '0.00' })
    expect(bought).toMatchObject({ Name: 'Old tea', SKU: '', UnitPrice: '1.00' })
  })

  it('still say what a product in the trash was', async () => {
    const product = await createProduct(store.payload)
    const deletedAt = new Date().toISOString()
    await store.payload.update({ collection: 'products', id: product, data: { deletedAt } })
    const [[item] = []] = await exportedItems({ items: [{ product, quantity: 1 }] })
    expect(item).toMatchObject({ SKU: 'TEA-1', Name: 'Green tea', UnitPrice: '12.50' })
  })

  it('keep their order back when a product is gone, until the merchant says what it was', async () => {
    const gone = await createProduct(store.payload)
    const product = await createProduct(store.payload, { title: 'Oolong' })
    const items = [
      { product: gone, quantity: 2 },
      { product, quantity: 1 },
    ]
    const [order] = await savePastOrders(store.payload, [{ createdAt, items }])
    await store.payload.delete({ collection: 'products', id: gone })
    expect(await exportedItems()).toEqual([])
    const params = { line: 1 }
    expect(await skippedOrders(store.payload)).toMatchObject([
      {
        codes: [
          { code: 'NO_ITEM_NAME', params },
          { code: 'NO_UNIT_PRICE', params },
        ],
      },
    ])

    await changeOrder(store.payload, order?.id ?? '', {
      items: [
        { quantity: 2, name: 'Old tea', unitPrice: 900 },
        { product, quantity: 1 },
      ],
    })
    const [lines] = await exportedItems()
    expect(lines).toMatchObject([
      { Name: 'Old tea', Quantity: '2', UnitPrice: '9.00' },
      { SKU: 'TEA-1', Name: 'Oolong', Quantity: '1' },
    ])
  })

  it('are completed with two queries at most, however many orders there are', async () => {
    const products = []
    for (let index = 0; index < 12; index++) products.push(await createProduct(store.payload))
    const find = vi.spyOn(store.payload, 'find')
    const orders = products.map((product) => ({ items: [{ product, quantity: 1 }] }))
    const exported = await exportedItems(...orders)
    expect(exported.flat().filter(({ SKU }) => SKU === 'TEA-1')).toHaveLength(12)
    expect(find.mock.calls.length).toBeLessThanOrEqual(2)
  })
})

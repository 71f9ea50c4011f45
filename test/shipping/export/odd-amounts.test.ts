import type { BasePayload } from 'payload'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiOf, type Api } from '../../support/api-of.js'
import { clearStore, itemsOf, readExport, textAt } from '../../support/exported-orders.js'
import { aMappedOrder } from '../../support/mapped-order.js'
import { aLine, anOrder, saveOrder } from '../../support/orders.js'
import { exportRequest } from '../../support/shipping-requests.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'

const amounts = ['shippingAmount', 'taxAmount', 'discountAmount'] as const
const odd = [5.9, 0.1, -0.5, -590.5, 9_007_199_254_740_992, 1e300]

describe('An amount that is no whole number of minor units', () => {
  let store: TestStore
  let payload: BasePayload
  let api: Api
  beforeAll(async () => {
    store = await openStore(anyKind)
    payload = store.payload
    api = apiOf(store)
  })
  beforeEach(() => clearStore(payload))
  afterAll(() => store.close())

  const ask = (method: string, path: string, body: object) =>
    api(path, { as: 'admin', method, body })
  const exported = async () => readExport(await store.handle(exportRequest()))
  const leftOut = async () => {
    const { docs } = await payload.find({
      collection: 'shipping-skipped-orders',
      pagination: false,
    })
    return docs.map((document) => String((document as { reasons?: unknown }).reasons))
  }
  const refusal = (path: string) => ({
    errors: [{ data: { errors: [{ path, message: expect.stringMatching(/\d/) as string }] } }],
  })

  it.each(amounts)('is refused as %s of an order, with the reason beside it', async (name) => {
    const { id } = await saveOrder(payload)
    for (const value of odd) {
      const made = await ask('POST', '/orders', anOrder({ [name]: value }))
      expect([value, made.status]).toEqual([value, 400])
      const changed = await ask('PATCH', `/orders/${id}`, { [name]: value })
      expect([value, changed.status]).toEqual([value, 400])
      expect(await changed.json()).toMatchObject(refusal(name))
      await expect(
        payload.update({ collection: 'orders', id, data: { [name]: value } }),
      ).rejects.toMatchObject({ name: 'ValidationError' })
    }
  })

  it.each(amounts)('is refused as %s of a cart', async (name) => {
    for (const value of odd) {
      const made = await ask('POST', '/carts', { items: [], [name]: value })
      expect([value, made.status]).toEqual([value, 400])
      expect(await made.json()).toMatchObject(refusal(name))
    }
  })

  it('is refused as the unit price of a line', async () => {
    for (const unitPrice of odd) {
      const made = await ask('POST', '/orders', anOrder({ items: [aLine({ unitPrice })] }))
      expect([unitPrice, made.status]).toEqual([unitPrice, 400])
    }
  })

  it.each(['amount', ...amounts])(
    'that is stored already as %s leaves the order out, with the reason',
    async (name) => {
      const { id } = await saveOrder(payload)
      await payload.db.updateOne({ collection: 'orders', id, data: { [name]: 5.9 } })
      expect((await exported()).orders).toEqual([])
      expect(await leftOut()).toEqual([expect.stringContaining('5.9')])
    },
  )

  it('that is stored already does not stop a change of something else', async () => {
    const { id } = await saveOrder(payload)
    await payload.db.updateOne({ collection: 'orders', id, data: { taxAmount: 5.9 } })
    const changed = await ask('PATCH', `/orders/${id}`, { status: 'completed' })
    expect(changed.status).toBe(200)
    expect((await ask('PATCH', `/orders/${id}`, { taxAmount: 5.8 })).status).toBe(400)
    expect((await ask('PATCH', `/orders/${id}`, { taxAmount: 590 })).status).toBe(200)
    expect((await exported()).orders).toHaveLength(1)
  })

  it("as a product's price stops no checkout: its order is left out until it is right", async () => {
    const price = { priceInUSDEnabled: true, priceInUSD: 5.9, _status: 'published' }
    const product = await payload.create({
      collection: 'products',
      data: { title: 'Tea', inventory: 10, ...price },
    })
    const items = [{ product: product.id, quantity: 1 }]
    const { id } = await saveOrder(payload, anOrder({ items }))
    expect((await exported()).orders).toEqual([])
    expect(await leftOut()).toEqual([expect.stringContaining('unit price of line 1')])
    await payload.update({
      collection: 'orders',
      id,
      data: { items: [{ ...items[0], unitPrice: 590 }] },
    })
    const [order] = (await exported()).orders
    expect(textAt(itemsOf(order)[0], 'UnitPrice')).toBe('5.90')
  })

  it('of a cart from before stops no checkout: its order is left out', async () => {
    const cart = await payload.create({ collection: 'carts', data: { items: [] } })
    await payload.db.updateOne({
      collection: 'carts',
      id: cart.id,
      data: { shippingAmount: 5.9 },
    })
    const transaction = await payload.create({
      collection: 'transactions',
      data: { cart: cart.id, status: 'succeeded', paymentMethod: 'demo' },
    })
    const order = anOrder({ transactions: [transaction.id], shippingAmount: undefined })
    await saveOrder(payload, order)
    expect((await exported()).orders).toEqual([])
    expect(await leftOut()).toEqual([expect.stringContaining('5.9')])
  })

  it("of a store's own orders.map leaves the order out", async () => {
    let firstId: number | string = 0
    const mapped = await openStore(anyKind, {
      options: {
        orders: {
          map: (document) =>
            aMappedOrder(document, { taxAmount: document.id === firstId ? 5.9 : 590 }),
        },
      },
    })
    try {
      firstId = (await saveOrder(mapped.payload)).id
      const second = await saveOrder(mapped.payload)
      const { references } = await readExport(await mapped.handle(exportRequest()))
      expect(references).toEqual([`ERP-${second.id}`])
    } finally {
      await mapped.close()
    }
  })
})

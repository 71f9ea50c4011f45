import type { BasePayload } from 'payload'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiOf, type Api } from '../../support/api-of.js'
import { clearStore, itemsOf, readExport, textAt } from '../../support/exported-orders.js'
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

  it('is refused for an order and a cart, with the reason beside it', async () => {
    const { id } = await saveOrder(payload)
    for (const name of amounts) {
      for (const value of odd) {
        for (const [method, path, body] of [
          ['POST', '/orders', anOrder({ [name]: value })],
          ['PATCH', `/orders/${id}`, { [name]: value }],
          ['POST', '/carts', { items: [], [name]: value }],
        ] as const) {
          const answer = await ask(method, path, body)
          expect([method, path, body, answer.status]).toEqual([method, path, body, 400])
          const error = { path: name, message: expect.stringMatching(/\d/) as string }
          expect(await answer.json()).toMatchObject({ errors: [{ data: { errors: [error] } }] })
        }
      }
    }
  })

  it('is refused as the unit price of a line', async () => {
    for (const unitPrice of odd) {
      const made = await ask('POST', '/orders', anOrder({ items: [aLine({ unitPrice })] }))
      expect([unitPrice, made.status]).toEqual([unitPrice, 400])
    }
  })

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
})

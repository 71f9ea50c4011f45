import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type Api } from '../../support/api-of.js'
import { itemsOf, textAt } from '../../support/exported-orders.js'
import { aLine, anOrder, changeOrder } from '../../support/orders.js'
import { anyKind } from '../../support/store.js'
import { validatingStore } from './validating-store.js'

const amounts = ['shippingAmount', 'taxAmount', 'discountAmount'] as const
const odd = [5.9, 0.1, -0.5, -590.5, 9_007_199_254_740_992, 1e300]

describe('An amount that is no whole number of minor units', () => {
  const store = validatingStore(anyKind)
  const { save, overwrite, exported } = store
  let api: Api
  beforeAll(() => {
    api = apiOf(store)
  })

  const ask = (method: string, path: string, body: object) =>
    api(path, { as: 'admin', method, body })
  const leftOut = async () => (await store.notes()).map(({ reasons }) => reasons)

  it('is refused for an order and a cart, with the reason beside it', async () => {
    const { id } = await save()
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
    const { id } = await save()
    await overwrite(id, { taxAmount: 5.9 })
    const changed = await ask('PATCH', `/orders/${id}`, { status: 'completed' })
    expect(changed.status).toBe(200)
    expect((await ask('PATCH', `/orders/${id}`, { taxAmount: 5.8 })).status).toBe(400)
    expect((await ask('PATCH', `/orders/${id}`, { taxAmount: 590 })).status).toBe(200)
    expect((await exported()).orders).toHaveLength(1)
  })

  it("as a product's price stops no checkout: its order is left out until it is right", async () => {
    const { payload } = store
    const price = { priceInUSDEnabled: true, priceInUSD: 5.9, _status: 'published' }
    const product = await payload.create({
      collection: 'products',
      data: { title: 'Tea', inventory: 10, ...price },
    })
    const items = [{ product: product.id, quantity: 1 }]
    const { id } = await save({ items })
    expect((await exported()).orders).toEqual([])
    expect(await leftOut()).toEqual([expect.stringContaining('unit price of line 1')])
    await changeOrder(payload, id, { items: [{ ...items[0], unitPrice: 590 }] })
    const [order] = (await exported()).orders
    expect(textAt(itemsOf(order)[0], 'UnitPrice')).toBe('5.90')
  })

  it('of a cart from before stops no checkout: its order is left out', async () => {
    const { payload } = store
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
    await save({ transactions: [transaction.id], shippingAmount: undefined })
    expect((await exported()).orders).toEqual([])
    expect(await leftOut()).toEqual([expect.stringContaining('5.9')])
  })
})

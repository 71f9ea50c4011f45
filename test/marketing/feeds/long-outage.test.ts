import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderDocument } from '../../../src/shop/orders/order.js'
import { eventShop } from './event-shop.js'
import { aMappedOrder } from '../../support/mapped-order.js'
import { createProduct } from '../../support/products.js'
import { anOrder, saveOrder, type SavedOrder } from '../../support/orders.js'
import { anyKind } from '../../support/store.js'

const hour = 60 * 60_000
const day = 24 * hour

describe('A store that was down for days', () => {
  let isFailing: boolean
  const map = (document: OrderDocument) => {
    if (isFailing) throw new Error('map knows no such')
    return aMappedOrder(document, {
      number: String(document.number),
      createdAt: new Date(String(document.createdAt)),
      updatedAt: new Date(String(document.updatedAt)),
    })
  }
  const shop = eventShop(anyKind, { options: { orders: { map } } })
  beforeEach(() => {
    isFailing = false
  })

  const create = async (collection: string, data: Record<string, unknown>): Promise<SavedOrder> =>
    (await shop.payload.create({ collection, data, depth: 0 })) as unknown as SavedOrder
  const names = async ({ number }: SavedOrder) =>
    (await shop.events(number)).map(({ name }) => name)

  it.each([
    [3, ['Placed Order', 'Ordered Product']],
    [8, []],
  ])(
    'sends the orders that a crash left, as far as a week back: %i days',
    async (days, expected) => {
      const order = await create('orders', anOrder())
      await shop.loseSends()
      shop.move(days * day)
      expect(await names(order)).toEqual(expected)
    },
  )

  it('sends the carts that were left alone', async () => {
    const customer = (
      await create('users', { email: 'ada@example.com', password: 'a long password' })
    ).id
    const items = [{ product: await createProduct(shop.payload), quantity: 1 }]
    const cart = await create('carts', { customer, items, currency: 'USD' })
    shop.move(3 * day)
    expect(await names(cart)).toEqual(['Updated Cart'])
  })

  it('sends an order at which its own code failed for hours, once that is mended', async () => {
    isFailing = true
    const updatedAt = new Date(shop.now()).toISOString()
    const order = await saveOrder(shop.payload, anOrder({ updatedAt }))
    for (let hours = 0; hours < 5; hours++) {
      expect(await names(order)).toEqual([])
      shop.move(hour)
    }
    isFailing = false
    expect(await names(order)).toEqual(['Placed Order', 'Ordered Product'])
  })
})

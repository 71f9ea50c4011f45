import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openEventShop, type EventShop } from './event-shop.js'
import { createProduct } from '../support/products.js'
import { anOrder } from '../support/orders.js'
import { anyKind } from '../support/store.js'

const day = 24 * 60 * 60_000

interface Saved {
  id: number
  number: string
}

describe('A store that was down for days', () => {
  let shop: EventShop

  beforeEach(async () => {
    shop = await openEventShop(anyKind)
  })
  afterEach(async () => {
    vi.useRealTimers()
    await shop.close()
  })

  const pass = (days: number) =>
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * day })
  const create = async (collection: string, data: Record<string, unknown>): Promise<Saved> =>
    (await shop.payload.create({ collection, data, depth: 0 })) as unknown as Saved
  const names = async ({ number }: Saved) => (await shop.events(number)).map(({ name }) => name)

  it('sends the orders that a crash left, as far as a week back', async () => {
    await shop.restartFeeds()
    const order = await create('orders', anOrder())
    await shop.loseSends()
    pass(3)
    await shop.restartFeeds()
    expect(await names(order)).toEqual(['Placed Order', 'Ordered Product'])

    const lost = await create('orders', anOrder())
    await shop.loseSends()
    pass(8)
    await shop.restartFeeds()
    expect(await names(lost)).toEqual([])
  })

  it('sends the carts that were left alone', async () => {
    const customer = (
      await create('users', { email: 'ada@example.com', password: 'a long password' })
    ).id
    const items = [{ product: await createProduct(shop.payload), quantity: 1 }]
    await shop.watchCarts()
    const cart = await create('carts', { customer, items, currency: 'USD' })
    pass(3)
    await shop.watchCarts()
    expect(await names(cart)).toEqual(['Updated Cart'])
  })
})

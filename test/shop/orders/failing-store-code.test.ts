import type { CollectionAfterReadHook } from 'payload'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MappedOrder, Order, OrderDocument } from '../../../src/shop/orders/order.js'
import { eventShop } from '../../marketing/feeds/event-shop.js'
import { aMappedOrder, mappedLine } from '../../support/mapped-order.js'
import { createProduct } from '../../support/products.js'
import { aLine, anOrder, saveOrder, type SavedOrder } from '../../support/orders.js'
import { anyKind } from '../../support/store.js'

describe("The store's own code that fails", () => {
  let isFailing: boolean

  const map = (document: OrderDocument): MappedOrder => {
    if (isFailing && document.internalNotes === 'odd') throw new Error('map knows no such')
    return mapped(document)
  }

  const refunds = ({ internalNotes }: Order) => {
    if (isFailing && internalNotes === 'odd refunds') throw new Error('refunds knows no such')
    return []
  }

  const shop = eventShop(anyKind, {
    cleared: ['carts', 'users'],
    options: { orders: { map, refunds } },
  })
  beforeEach(() => {
    isFailing = true
  })

  const save = (changes: Record<string, unknown> = {}) => saveOrder(shop.payload, anOrder(changes))
  const names = async ({ number }: Pick<SavedOrder, 'number'>) =>
    (await shop.events(number)).map(({ name }) => name)
  const isThere = async ({ id }: SavedOrder) =>
    (await shop.payload.count({ collection: 'orders', where: { id: { equals: id } } })).totalDocs

  it('keeps no order from being saved, and the log names its reference', async () => {
    const order = await save({ internalNotes: 'odd' })
    expect(await names(order)).toEqual([])
    expect(await isThere(order)).toBe(1)
    const errors = shop.log.lines().filter(({ level }) => level >= 50)
    expect(errors).toMatchObject([{ reference: order.reference }])
    expect(shop.log.text()).not.toMatch(/ada@example|Lovelace/)
  })

  it.each(['odd', 'odd refunds'])(
    'does not keep a restarted feed from sending other orders, and an order with %s is sent later itself',
    async (internalNotes) => {
      const [odd, other] = [await save({ internalNotes }), await save()]
      await shop.loseSends()
      await shop.restartFeeds()
      expect(await names(other)).toEqual(['Placed Order', 'Ordered Product'])
      expect(await names(odd)).toEqual([])
      isFailing = false
      await shop.restartFeeds()
      expect(await names(odd)).toEqual(['Placed Order', 'Ordered Product'])
    },
  )

  it('keeps a track post that names the order from nothing but its event', async () => {
    const order = await save({ internalNotes: 'odd' })
    const answer = await shop.aBrowser().track({
      email: 'post@example.com',
      'event[name]': 'Asked',
      'event[trackOrder]': '1',
      'event[orderNumber]': order.number,
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toBe('success')
    expect((await shop.reported()).map(({ message }) => message.kind)).toEqual(['identify'])
  })

  describe('when products are read', () => {
    let product: number

    beforeAll(async () => {
      product = await createProduct(shop.payload)
      const hook: CollectionAfterReadHook = ({ doc }) => {
        const { id } = doc as { id: number }
        if (isFailing && id === product) throw new Error('The product is not to be read')
        return doc as unknown
      }
      shop.payload.collections.products?.config.hooks.afterRead.push(hook)
    })
    beforeEach(() => {
      isFailing = false
    })

    it('keeps no change of an order from being made', async () => {
      const order = await save({ items: [aLine({ product })] })
      await shop.loseSends()
      isFailing = true
      await shop.update('orders', order.id, { status: 'completed' })
      expect(await names(order)).toEqual([])
      isFailing = false
      const stored = await shop.payload.findByID({ collection: 'orders', id: order.id, depth: 0 })
      expect(stored.status).toBe('completed')
      await shop.restartFeeds()
      expect(await names(order)).toContain('Completed Order')
    })

    it('keeps the cart watch from no other cart', async () => {
      const data = { email: 'zofia@example.com', password: 'a long password' }
      const customer = (await shop.payload.create({ collection: 'users', data })).id
      const cart = async (items: object[]) => {
        const made = { customer, items, currency: 'USD' }
        const saved = await shop.payload.create({ collection: 'carts', data: made, depth: 0 })
        return { number: String(saved.number) }
      }
      const other = await createProduct(shop.payload, { sku: 'CUP-1' })
      const [failing, fine] = [
        await cart([{ product, quantity: 1 }]),
        await cart([{ product: other, quantity: 1 }]),
      ]
      isFailing = true
      await shop.leaveCarts()
      expect(await names(failing)).toEqual([])
      expect(await names(fine)).toEqual(['Updated Cart'])
    })
  })
})

/** What the tests look at. */
function mapped(document: OrderDocument): MappedOrder {
  const lines = document.items as { id: string; name: string; quantity: number }[]
  return aMappedOrder(document, {
    reference: String(document.reference),
    internalNotes: String(document.internalNotes),
    status: String(document.status),
    createdAt: new Date(String(document.createdAt)),
    updatedAt: new Date(String(document.updatedAt)),
    items: lines.map(({ id, name, quantity }) => ({ ...mappedLine, id, name, quantity })),
  })
}

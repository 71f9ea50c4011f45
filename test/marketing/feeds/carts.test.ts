import { beforeAll, describe, expect, it } from 'vitest'
import { aPurchase } from '../../support/orders.js'
import { createProduct } from '../../support/products.js'
import { databaseKinds } from '../../support/store.js'
import { eventShop } from './event-shop.js'

interface SavedCart {
  id: number
  number: string
  secret: string
}

describe.each(databaseKinds)('What happens to a cart (%s)', (kind) => {
  let tea: number
  let userId: number

  const shop = eventShop(kind)
  beforeAll(async () => {
    tea = await createProduct(shop.payload, { inventory: 100 })
    const data = { email: 'ada@example.com', password: 'correct horse battery' }
    userId = Number((await shop.payload.create({ collection: 'users', data })).id)
  })

  const lines = (quantity: number) => ({ items: [{ product: tea, quantity }] })
  const create = async (data: Record<string, unknown> = {}): Promise<SavedCart> =>
    (await shop.payload.create({
      collection: 'carts',
      data: { ...lines(1), currency: 'USD', ...data },
      depth: 0,
    })) as unknown as SavedCart
  const names = async ({ number }: SavedCart) => (await shop.events(number)).map(({ name }) => name)

  describe('that somebody fills', () => {
    it('is one Updated Cart, the last state, however often it is saved', async () => {
      const cart = await create({ customer: userId })
      for (let quantity = 2; quantity <= 11; quantity += 1) {
        await shop.update('carts', cart.id, lines(quantity))
      }
      await shop.leaveCarts()
      expect(await shop.events(cart.number)).toMatchObject([
        {
          name: 'Updated Cart',
          value: 137.5,
          valueCurrency: 'USD',
          properties: { TotalQuantity: 11, Items: [{ SKU: 'TEA-1', Quantity: 11 }] },
        },
      ])
      const [event] = await shop.events(cart.number)
      expect(event?.properties.CheckoutURL).toContain(cart.number)
      expect(JSON.stringify(await shop.reported())).not.toContain(cart.secret ?? 'a secret')
    })

    it('is not sent when it is the cart of an admin, of nobody known, or was not left alone for a minute', async () => {
      const admin = { email: 'staff@example.com', password: 'correct horse battery' }
      const data = { ...admin, roles: ['admin'] }
      const { id } = await shop.payload.create({ collection: 'users', data })
      const [ofAdmin, ofNobody, own] = [
        await create({ customer: id }),
        await create(),
        await create({ customer: userId }),
      ]
      expect(await names(own)).toEqual([])
      await shop.leaveCarts()
      for (const cart of [ofAdmin, ofNobody]) expect(await names(cart)).toEqual([])
      expect(await names(own)).toEqual(['Updated Cart'])
    })

    it('keeps the moment at which it changed, and is not sent again when it is saved as it was', async () => {
      const cart = await create({ customer: userId })
      const changedAt = async () =>
        String((await shop.payload.findByID({ collection: 'carts', id: cart.id })).updatedAt)
      const before = await changedAt()
      await shop.leaveCarts()
      expect(await names(cart)).toEqual(['Updated Cart'])
      expect(await changedAt()).toBe(before)
      await shop.update('carts', cart.id, { customer: userId })
      await shop.leaveCarts()
      expect(await names(cart)).toEqual(['Updated Cart'])
      await shop.update('carts', cart.id, lines(2))
      await shop.leaveCarts()
      expect(await names(cart)).toEqual(['Updated Cart', 'Updated Cart'])
    })

    it('is sent once as empty when it was sent before', async () => {
      const [cart, untold] = [
        await create({ customer: userId }),
        await create({ customer: userId, items: [] }),
      ]
      await shop.leaveCarts()
      await shop.update('carts', cart.id, { items: [] })
      await shop.leaveCarts()
      await shop.leaveCarts()
      expect((await shop.events(cart.number)).map(({ value }) => value)).toEqual([12.5, 0])
      expect(await names(untold)).toEqual([])
    })
  })

  describe('whose products can no longer be bought', () => {
    const take = (id: number, data: Record<string, unknown>) =>
      shop.payload.db.updateOne({ collection: 'products', id, data, returning: false })

    it.each([
      ['are in the trash', { deletedAt: new Date().toISOString() }],
      ['are not published', { _status: 'draft' }],
    ])('is not sent when all %s, else with what is left', async (_, taken) => {
      const gone = await createProduct(shop.payload, { sku: 'GONE', inventory: 100 })
      const row = { product: gone, quantity: 1 }
      const spent = await create({ customer: userId, items: [row] })
      const half = await create({ customer: userId, items: [row, { product: tea, quantity: 2 }] })
      await take(gone, taken)
      await shop.leaveCarts()
      expect(await names(spent)).toEqual([])
      expect(await shop.events(half.number)).toMatchObject([
        { value: 25, properties: { TotalQuantity: 2, TotalPrice: 25, Items: [{ SKU: 'TEA-1' }] } },
      ])
    })

    it('is sent once as empty when it was sent before', async () => {
      const gone = await createProduct(shop.payload, { sku: 'GONE', inventory: 100 })
      const cart = await create({ customer: userId, items: [{ product: gone, quantity: 1 }] })
      await shop.leaveCarts()
      await take(gone, { _status: 'draft' })
      await shop.update('carts', cart.id, { gift: true })
      await shop.leaveCarts()
      await shop.update('carts', cart.id, { gift: false })
      await shop.leaveCarts()
      expect(await shop.events(cart.number)).toMatchObject([
        { value: 12.5, properties: { Items: [{ SKU: 'GONE' }] } },
        { value: 0, properties: { Items: [], TotalQuantity: 0 } },
      ])
    })
  })

  describe('that somebody buys', () => {
    const grace = 'grace@example.com'
    const pay = async (step: 'initiate' | 'confirm-order', cart: SavedCart, email = grace) => {
      const purchase = aPurchase(cart, email)
      const response = await shop.aBrowser().apiPost(`/payments/demo/${step}`, purchase)
      expect(response.status, await response.clone().text()).toBe(200)
    }
    const initiate = (cart: SavedCart, email?: string) => pay('initiate', cart, email)

    it('is Started Checkout, once for the same content, and belongs to somebody from then on', async () => {
      const cart = await create()
      await initiate(cart)
      await initiate(cart)
      expect(await names(cart)).toEqual(['Started Checkout'])
      const [send] = await shop.reported()
      expect(send?.message).toMatchObject({
        profile: { email: 'grace@example.com', firstName: 'Ada' },
        event: { value: 12.5, properties: { TotalQuantity: 1 } },
      })
      await shop.update('carts', cart.id, lines(3))
      await initiate(cart)
      await shop.leaveCarts()
      expect(await names(cart)).toEqual(['Started Checkout', 'Started Checkout', 'Updated Cart'])
    })

    it('has all that Klaviyo’s guide asks of a checkout', async () => {
      const data = {
        inventory: 9,
        categories: ['Tea', 'Green'],
        image: 'https://shop.example/t.jpg',
      }
      const product = await createProduct(shop.payload, data)
      const cart = await create({ items: [{ product, quantity: 2 }] })
      await initiate(cart)
      expect(await shop.events(cart.number)).toMatchObject([
        {
          name: 'Started Checkout',
          uniqueId: expect.stringMatching(new RegExp(`^${cart.number}:checkout:.+`)) as string,
          value: 25,
          valueCurrency: 'USD',
          properties: {
            ItemNames: ['Green tea'],
            CheckoutURL: expect.stringContaining(cart.number) as string,
            Categories: ['Tea', 'Green'],
            Items: [
              {
                ProductID: product,
                SKU: 'TEA-1',
                ProductName: 'Green tea',
                Quantity: 2,
                ItemPrice: 12.5,
                RowTotal: 25,
                ImageURL: 'https://shop.example/t.jpg',
                ProductCategories: ['Tea', 'Green'],
              },
            ],
          },
        },
      ])
      await shop.leaveCarts()
    })

    it('is sent again for a person who has corrected their email at the checkout', async () => {
      const cart = await create()
      const emails = async (event: string) =>
        (await shop.reported()).flatMap(({ message }) =>
          message.kind === 'event' &&
          message.event.name === event &&
          message.event.uniqueId.startsWith(cart.number)
            ? message.profile.email
            : [],
        )
      await initiate(cart, 'grace@exmaple.com')
      await shop.leaveCarts()
      await initiate(cart, 'Grace@example.com')
      await initiate(cart, 'grace@example.com')
      await shop.leaveCarts()
      await shop.leaveCarts()
      const sent = ['grace@exmaple.com', expect.stringMatching(/^grace@example\.com$/i)]
      expect(await emails('Started Checkout')).toEqual(sent)
      expect(await emails('Updated Cart')).toEqual(sent)
    })

    it('is Placed Order with the number that the cart had, and not sent as a cart any more', async () => {
      const cart = await create()
      await initiate(cart)
      await pay('confirm-order', cart)
      await shop.leaveCarts()
      const ids = (await shop.events(cart.number)).map(({ name, uniqueId }) => [name, uniqueId])
      expect(ids.map(([name]) => name)).toEqual([
        'Started Checkout',
        'Placed Order',
        'Ordered Product',
      ])
      expect(ids[1]?.[1]).toBe(cart.number)
    })

    it('is sent after a crash as the checkout that it was, whatever changed since', async () => {
      const cart = await create()
      await initiate(cart)
      const [before] = await shop.events(cart.number)
      await shop.loseSends()
      await shop.update('carts', cart.id, lines(4))
      await shop.payload.update({ collection: 'products', id: tea, data: { title: 'Black tea' } })
      await shop.restartFeeds()
      await shop.restartFeeds()
      const checkouts = await shop.events(`${cart.number}:checkout:`)
      expect(checkouts.map(({ uniqueId }) => uniqueId)).toEqual([before?.uniqueId])
    })
  })
})

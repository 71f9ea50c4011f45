import { randomUUID } from 'node:crypto'
import type { BasePayload } from 'payload'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAddress, anOrder, changeOrder } from '../../support/orders.js'
import { createVariants } from '../../support/products.js'
import { anyKind, openStore, type TestStore } from '../../support/store.js'

type Document = Record<string, unknown> & { id: number }

const create = async (payload: BasePayload, collection: string, data: object) =>
  (await payload.create({ collection, data, depth: 0 })) as unknown as Document

const read = async (payload: BasePayload, collection: string, id: number) =>
  (await payload.findByID({ collection, id, depth: 0 })) as unknown as Document

const aProduct = (changes: object = {}) => ({
  title: 'Green tea',
  sku: 'TEA',
  weight: 250,
  weightUnit: 'g',
  image: '/media/tea.png',
  inventory: 100,
  priceInUSDEnabled: true,
  priceInUSD: 1750,
  priceInJPYEnabled: true,
  priceInJPY: 2600,
  _status: 'published',
  ...changes,
})

/** A large tea, the only variant of its product. */
async function aLargeTea(payload: BasePayload, variant: object) {
  const parts = { product: aProduct(), labels: ['Large'], inventory: 5, ...variant }
  const made = await createVariants(payload, [2100], parts)
  const line = { product: made.product, variant: made.variants[0], quantity: 1 }
  return { ...made, line, option: made.options[0] ?? 0, variant: made.variants[0] ?? 0 }
}

let store: TestStore
let payload: BasePayload
beforeAll(async () => {
  const productFields = { length: 'weight', location: 'sku' }
  store = await openStore(anyKind, { options: { productFields } })
  payload = store.payload
})
afterAll(() => store.close())

describe('a new order', () => {
  const orderOf = (lines: object[], changes: object = {}) =>
    create(payload, 'orders', anOrder({ items: lines, ...changes }))
  const firstLine = (order: Document) => (order.items as Document[])[0]

  describe('number and reference', () => {
    it('has a number of 32 hex digits and a short reference, unlike those of others', async () => {
      const made: Document[] = []
      for (let count = 0; count < 5; count += 1) made.push(await orderOf([]))
      for (const { number, reference } of made) {
        expect(number).toMatch(/^[\da-f]{32}$/)
        expect(reference).toMatch(/^[\dA-HJKMNP-TV-Z]{4}-[\dA-HJKMNP-TV-Z]{4}$/)
      }
      expect(new Set(made.map(({ number }) => number)).size).toBe(5)
      expect(new Set(made.map(({ reference }) => reference)).size).toBe(5)
    })

    it('keeps the reference that the store gives it, and cannot have the reference of another', async () => {
      const { id, number, reference } = await orderOf([], { reference: 'SO-1001' })
      await changeOrder(payload, id, { status: 'completed' })
      expect(await read(payload, 'orders', id)).toMatchObject({ number, reference: 'SO-1001' })
      await expect(orderOf([], { reference })).rejects.toThrow()
      const other = await orderOf([])
      const update = { collection: 'orders', id: other.id, data: { reference } } as const
      await expect(payload.update(update)).rejects.toThrow()
    })
  })

  describe('lines', () => {
    it('keep name, SKU, price, weight, sides, place and picture of the product as when bought', async () => {
      const product = await create(payload, 'products', aProduct())
      const order = await orderOf([{ product: product.id, quantity: 3 }])
      const bought = {
        name: 'Green tea',
        sku: 'TEA',
        unitPrice: 1750,
        weight: 250,
        weightUnit: 'g',
        itemLength: 250,
        location: 'TEA',
        imageUrl: '/media/tea.png',
        quantity: 3,
      }
      expect(firstLine(order)).toMatchObject(bought)

      await payload.update({
        collection: 'products',
        id: product.id,
        data: {
          title: 'Black tea',
          sku: 'OTHER',
          priceInUSD: 9,
          weight: 1,
          weightUnit: 'lb',
          image: '/x.png',
        },
      })
      await changeOrder(payload, order.id, { status: 'completed' })
      expect(firstLine(await read(payload, 'orders', order.id))).toMatchObject(bought)
    })

    it("keep the variant's own values and options, and the product's for the rest", async () => {
      const { line, variant, option } = await aLargeTea(payload, { sku: 'TEA-L' })
      const order = await orderOf([line])
      const bought = {
        name: 'Green tea',
        sku: 'TEA-L',
        unitPrice: 2100,
        weight: 250,
        imageUrl: '/media/tea.png',
        options: [expect.objectContaining({ name: 'Size', value: 'Large' })],
      }
      expect(firstLine(order)).toMatchObject(bought)

      await payload.update({ collection: 'variantOptions', id: option, data: { label: 'XL' } })
      await payload.update({ collection: 'variants', id: variant, data: { sku: 'NEW' } })
      expect(firstLine(await read(payload, 'orders', order.id))).toMatchObject(bought)
    })

    it("have the product's SKU where the variant's is empty, and the price in the order's currency", async () => {
      const { line } = await aLargeTea(payload, { sku: '' })
      const order = await orderOf([line])
      expect(firstLine(order)).toMatchObject({ sku: 'TEA' })
      const sold = await create(payload, 'products', aProduct())
      const yen = await orderOf([{ product: sold.id, quantity: 1 }], { currency: 'JPY' })
      expect(firstLine(yen)).toMatchObject({ unitPrice: 2600 })
      // What the order says itself stays, a price of 0 too.
      const given = { quantity: 1, name: 'A gift', unitPrice: 0, sku: '' }
      const gift = await orderOf([{ product: sold.id, ...given }])
      expect(firstLine(gift)).toMatchObject({ name: 'A gift', unitPrice: 0, sku: 'TEA' })
    })

    it('each have their own product', async () => {
      const one = await create(payload, 'products', aProduct({ sku: 'ONE' }))
      const two = await create(payload, 'products', aProduct({ sku: 'TWO' }))
      const order = await orderOf([
        { product: two.id, quantity: 1 },
        { product: one.id, quantity: 1 },
        { product: two.id, quantity: 1 },
        { quantity: 1, name: 'A free line' },
      ])
      expect((order.items as Document[]).map(({ sku }) => sku ?? null)).toEqual([
        'TWO',
        'ONE',
        'TWO',
        null,
      ])
    })

    it.each([
      [{ weightUnit: 'stone' }, null],
      [{ weightUnit: 'Kilograms' }, null],
      [{ weight: -5 }, 'g'],
      [{ weightUnit: 'KG' }, 'kg'],
      [{ weightUnit: ' lb ' }, 'lb'],
    ])('never keep a shopper from paying, whatever a product weighs: %o', async (weight, unit) => {
      const product = await create(payload, 'products', aProduct(weight))
      const line = firstLine(await orderOf([{ product: product.id, quantity: 1 }]))
      expect(line).toMatchObject({ name: 'Green tea', sku: 'TEA', unitPrice: 1750 })
      expect(line?.weightUnit ?? null).toBe(unit)
    })
  })

  describe('of a cart', () => {
    const ofCart = {
      shippingAmount: 700,
      taxAmount: 130,
      discountAmount: 250,
      discountCode: 'SPRING',
      shippingMethod: 'Express',
      customerNotes: 'Ring twice',
      gift: true,
      giftMessage: 'All the best',
    }
    const aPurchase = async (
      cartChanges: object = {},
      orderChanges: object = {},
      transactionChanges: object = {},
    ) => {
      const site = await create(payload, 'sites', {
        name: 'Shop',
        handle: `shop-${randomUUID()}`,
        baseUrl: 'https://shop.example',
      })
      const cart = await create(payload, 'carts', {
        items: [],
        currency: 'USD',
        site: site.id,
        billingAddress: anAddress({ city: 'Cartagena' }),
        ...ofCart,
        ...cartChanges,
      })
      const transaction = await create(payload, 'transactions', {
        cart: cart.id,
        amount: 1000,
        currency: 'USD',
        paymentMethod: 'invoice',
        billingAddress: anAddress({ city: 'Transact' }),
        status: 'processing',
        ...transactionChanges,
      })
      const order = await create(payload, 'orders', {
        status: 'processing',
        customerEmail: 'ada@example.com',
        amount: 1000,
        currency: 'USD',
        shippingAddress: anAddress(),
        items: [],
        transactions: [transaction.id],
        ...orderChanges,
      })
      return { cart, order, site, transaction }
    }

    it('takes over number, site, amounts, shipping method, notes and gift', async () => {
      const { cart, order, site } = await aPurchase()
      expect(cart.number).toMatch(/^[\da-f]{32}$/)
      expect(order).toMatchObject({
        number: cart.number,
        site: site.id,
        ...ofCart,
        // Of the transaction, without the id of its row.
        billingAddress: { city: 'Transact', firstName: 'Ada' },
      })
      expect(order.billingAddress).not.toHaveProperty('id')
    })

    it('that is copied leaves its number to the order that was bought', async () => {
      const { cart, order } = await aPurchase()
      const { id } = order
      const copy = (await payload.duplicate({ collection: 'orders', id })) as unknown as Document
      expect(order.number).toBe(cart.number)
      expect(copy.number).toMatch(/^[\da-f]{32}$/)
      expect(copy.reference).toMatch(/^[\dA-Z]{4}-[\dA-Z]{4}$/)
      expect([copy.number, copy.reference]).not.toContain(order.number)
      expect(copy.reference).not.toBe(order.reference)
      expect(copy).toMatchObject({ shippingAmount: 700 })
    })

    it("has the cart's billing address where the transaction has none", async () => {
      const { order } = await aPurchase({}, {}, { billingAddress: undefined })
      expect(order.billingAddress).toMatchObject({ city: 'Cartagena' })
    })

    it('keeps what the payment method says itself, an amount of 0 too', async () => {
      const { order } = await aPurchase({}, { shippingAmount: 0, shippingMethod: 'Pickup' })
      expect(order).toMatchObject({ shippingAmount: 0, taxAmount: 130, shippingMethod: 'Pickup' })
    })

    it('stays as it is when the cart changes later', async () => {
      const { cart, order } = await aPurchase()
      await payload.update({
        collection: 'carts',
        id: cart.id,
        data: { customerNotes: 'Changed', shippingAmount: 1 },
      })
      expect(await read(payload, 'orders', order.id)).toMatchObject({
        customerNotes: 'Ring twice',
        shippingAmount: 700,
      })
    })

    it.each([
      ['whose transaction has no cart', 'transaction'],
      ['without a transaction', 'none'],
    ])('%s gets a number of its own', async (_what, origin) => {
      const transactions =
        origin === 'none' ? [] : [(await create(payload, 'transactions', { status: 'pending' })).id]
      const order = await create(payload, 'orders', anOrder({ transactions }))
      expect(order.number).toMatch(/^[\da-f]{32}$/)
    })
  })
})

describe('what a shopper may do', () => {
  let shopper: Document & { collection: 'users' }
  let admin: Document & { collection: 'users' }
  beforeAll(async () => {
    const password = 'correct horse battery'
    const user = async (email: string, roles: string[]) => ({
      ...(await create(payload, 'users', { email, password, roles })),
      collection: 'users' as const,
    })
    shopper = await user('ada@example.com', ['customer'])
    admin = await user('admin@example.com', ['admin'])
  })
  const forged = {
    number: 'f'.repeat(32),
    shippingAmount: 1,
    taxAmount: 1,
    discountAmount: 100_000,
    discountCode: 'FREE',
    shippingMethod: 'Free',
  }
  const as = async (user: typeof shopper | undefined, data: object, id?: number) => {
    const options = {
      collection: 'carts',
      data,
      depth: 0,
      overrideAccess: false,
      ...(user && { user }),
    }
    const cart =
      id === undefined ? await payload.create(options) : await payload.update({ ...options, id })
    return read(payload, 'carts', (cart as unknown as Document).id)
  }
  const amountsOf = ({ shippingAmount, taxAmount, discountAmount }: Document) =>
    [shippingAmount, taxAmount, discountAmount].map((amount) => amount ?? null)

  it.each(['a customer', 'a guest'])(
    'not choose number or amounts of a new cart: %s',
    async (who) => {
      const user = who === 'a guest' ? undefined : shopper
      const customer = user && { customer: user.id }
      const cart = await as(user, { items: [], currency: 'USD', ...forged, ...customer })
      expect(cart.number).toMatch(/^[\da-f]{32}$/)
      expect(cart.number).not.toBe(forged.number)
      expect(amountsOf(cart)).toEqual([null, null, null])
      expect(cart.discountCode ?? null).toBeNull()
      expect(cart.shippingMethod ?? null).toBeNull()
    },
  )

  it('not change number or amounts of the own cart, only notes and gift', async () => {
    const cart = await create(payload, 'carts', {
      items: [],
      currency: 'USD',
      customer: shopper.id,
      shippingAmount: 700,
      taxAmount: 130,
      discountAmount: 0,
    })
    const change = { ...forged, customerNotes: 'Ring twice', gift: true }
    const changed = await as(shopper, change, cart.id)
    expect(changed).toMatchObject({
      number: cart.number,
      shippingAmount: 700,
      taxAmount: 130,
      discountAmount: 0,
      customerNotes: 'Ring twice',
      gift: true,
    })
  })

  it('not what an admin may: amounts, but never the number', async () => {
    const cart = await create(payload, 'carts', { items: [], currency: 'USD' })
    const changed = await as(admin, forged, cart.id)
    expect(changed).toMatchObject({ ...forged, number: cart.number })
  })

  it('read the own order, without its internal notes', async () => {
    const order = await create(
      payload,
      'orders',
      anOrder({ customer: shopper.id, internalNotes: 'A difficult customer', gift: true }),
    )
    const seenBy = async (user: typeof shopper) =>
      payload.findByID({ collection: 'orders', id: order.id, overrideAccess: false, user })
    const seen = await seenBy(shopper)
    expect(seen).toMatchObject({ reference: order.reference, gift: true })
    expect(seen).not.toHaveProperty('internalNotes')
    expect(await seenBy(admin)).toMatchObject({ internalNotes: 'A difficult customer' })
  })

  it('not find orders by what the internal notes say', async () => {
    await expect(
      payload.find({
        collection: 'orders',
        where: { internalNotes: { like: 'difficult' } },
        overrideAccess: false,
        user: shopper,
      }),
    ).rejects.toThrow()
  })
})

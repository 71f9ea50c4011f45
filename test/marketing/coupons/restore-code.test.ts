import type { CollectionBeforeChangeHook } from 'payload'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { abandonedCartUrl } from '../../../src/carts/restore-link.js'
import type { TestBrowser } from '../../support/browser.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { createProduct } from '../../support/products.js'
import { databaseKinds, type TestStore } from '../../support/store.js'
import { couponShop } from './coupon-shop.js'

const restored = 'Your cart has been restored.'
const refused = 'The discount code of this link cannot be used.'
const day = 24 * 60 * 60_000

/** What the store does with a code on a cart. */
const tenPercent: CollectionBeforeChangeHook = ({ data }) =>
  data.discountCode ? { ...data, discountAmount: 125 } : (data as unknown)

describe.each(databaseKinds)('The code of a restore link (%s)', (kind) => {
  const shop = couponShop(kind, {}, { options: { trustProxy: { header: 'x-forwarded-for' } } })
  let code: string

  beforeAll(() => {
    shop.payload.collections.carts?.config.hooks.beforeChange.push(tenPercent)
  })
  beforeEach(async () => {
    await shop.settle()
    code = shop.standIn.state.coupons.give(1)[0] ?? ''
  })

  const leave = async (data: Record<string, unknown> = {}) => {
    const items = [{ product: await createProduct(shop.payload), quantity: 2 }]
    const cart = { items, currency: 'USD', ...data }
    const { id, number } = await shop.payload.create({ collection: 'carts', data: cart, depth: 0 })
    return { id, number: String(number) }
  }
  const cartOf = (id: number | string) =>
    shop.payload.findByID({ collection: 'carts', id, depth: 0 })
  /** The link as a mail has it: Klaviyo writes the person's code behind it. */
  const linkOf = async (
    cart: { number: string },
    written: string,
    { payload } = shop as TestStore,
  ) =>
    `${await abandonedCartUrl({ payload, cart })}&code=${encodeURIComponent(written)}`.replace(
      /^https:\/\/[^/]+/,
      '',
    )
  const noticesOf = async (visitor: TestBrowser) =>
    ((await visitor.session()).flash ?? []).map(({ text }) => text)
  const follow = async (written: string, door: TestStore = shop) => {
    const cart = await leave()
    const visitor = door.aBrowser()
    const response = await visitor.get(await linkOf(cart, written, door))
    expect(response.status).toBe(302)
    expect((await visitor.session()).cartId).toBe(cart.id)
    const { discountCode, discountAmount } = (await cartOf(cart.id)) as Record<string, unknown>
    const notices = await noticesOf(visitor)
    return { discountCode, discountAmount, notices, location: response.headers.get('location') }
  }

  const applied = () => ({ discountCode: code, discountAmount: 125, notices: [restored] })
  const without = { discountCode: null, discountAmount: null, notices: [restored, refused] }

  it('is put on the cart, where the store makes a discount of it', async () => {
    expect(await follow(code)).toMatchObject(applied())
  })

  it('works while Klaviyo’s job is not seen to be done yet', async () => {
    await shop.payload.db.updateMany({
      collection: 'marketing-coupon-codes',
      where: {},
      data: { state: 'job' },
    })
    expect(await follow(code)).toMatchObject(applied())
  })

  it.each([
    ['wrong', 'TEA-WRONG-1'],
    ['too short to be one', 'TEA'],
    ['too long', 'T'.repeat(5_000)],
    ['no code at all', "<script>'; drop table carts; --"],
    ['blank', ''],
    ['of another case', 'tea-000001'],
  ])('restores the cart without it, and says so, when it is %s', async (_, written) => {
    const { location, ...found } = await follow(written)
    expect(found).toEqual(without)
    expect(location).toBe('https://shop.example/checkout')
  })

  it('restores the cart without it, and says so, when an order has used it', async () => {
    // SQLite would note its own time, which another test leaves a year behind.
    const updatedAt = new Date(shop.now()).toISOString()
    await saveOrder(shop.payload, anOrder({ discountCode: code, updatedAt }))
    await shop.settle(5_000)
    expect(await follow(code)).toMatchObject(without)
  })

  it('restores the cart without it, and says so, when it has expired', async () => {
    shop.move(366 * day)
    expect(await follow(code)).toMatchObject(without)
  })

  it('is looked up only when the link is good, and the visitor may have the cart', async () => {
    const signing = await shop.join({ options: { restore: { signedLinks: true } } })
    // Klaviyo cannot sign what it adds.
    expect(await follow(code, signing)).toMatchObject({ discountCode: code, notices: [restored] })
    const cart = await leave()
    const forged = await signing.aBrowser().get(await linkOf(cart, code))
    expect(forged.headers.get('x-error-code')).toBe('CART_NOT_FOUND')
    expect(await cartOf(cart.id)).toMatchObject({ discountCode: null })

    const { id: customer } = await shop.payload.create({
      collection: 'users',
      data: { email: `zofia${shop.now()}@shop.example`, password: 'green tea, no sugar' },
    })
    const theirs = await leave({ customer })
    const visitor = shop.aBrowser()
    expect((await visitor.get(await linkOf(theirs, code))).status).toBe(200)
    expect(await cartOf(theirs.id)).toMatchObject({ discountCode: null })
    // It is still there after the login.
    expect((await visitor.session()).returnUrl).toContain(`&code=${code}`)
  })

  it('cannot be guessed more often than a password', async () => {
    const cart = await leave()
    const from = async (address: string, written: string) => {
      const visitor = shop.aBrowser()
      const headers = { 'x-forwarded-for': address }
      expect((await visitor.get(await linkOf(cart, written), headers)).status).toBe(302)
      return (await noticesOf(visitor)).includes(refused)
    }
    for (let guess = 0; guess < 12; guess++)
      expect(await from('192.0.2.1', `GUESS-${guess}00`)).toBe(true)
    expect(await from('192.0.2.1', code)).toBe(true)
    expect(await from('192.0.2.2', code)).toBe(false)
    shop.move(61_000)
    expect(await from('192.0.2.1', code)).toBe(false)
  })

  it('changes nothing when the link is only looked at', async () => {
    const cart = await leave()
    const link = await linkOf(cart, code)
    await shop.handle(new Request(`https://shop.example${link}`, { method: 'HEAD' }))
    expect(await cartOf(cart.id)).toMatchObject({ discountCode: null })
  })

  it('costs nobody the cart when the store’s own hook fails', async () => {
    const hooks = shop.payload.collections.carts?.config.hooks.beforeChange
    const failing: CollectionBeforeChangeHook = ({ data }) => {
      if (data.discountCode) throw new Error('The table of discounts is gone.')
    }
    hooks?.push(failing)
    try {
      expect(await follow(code)).toMatchObject(without)
      expect(shop.log.text()).toContain('The table of discounts is gone.')
    } finally {
      hooks?.pop()
    }
  })

  it('is no parameter of a store without coupons', async () => {
    const plain = await shop.join({ options: { marketing: {} } })
    expect(await follow(code, plain)).toMatchObject({ discountCode: null, notices: [restored] })
  })
})

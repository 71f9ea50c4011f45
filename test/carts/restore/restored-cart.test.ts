import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catchUpFeeds } from '../../support/catch-up-feeds.js'
import { countStatements } from '../../support/count-statements.js'
import { databaseKinds } from '../../support/store.js'
import { shopOrigin, type VisitorBrowser } from '../../support/visitor-browser.js'
import {
  daniel,
  linkTo,
  openRestoreWorld,
  type RestoreWorld,
  type StoredCart,
} from './restore-world.js'

const restored = { kind: 'notice', text: 'Your cart has been restored.' }
const formerKept = { kind: 'notice', text: 'The cart that you had before is kept.' }
/** Nobody can log in to such an account. */
const noPassword = { hash: null, salt: null }
const updateCart = '/actions/commerce/cart/update-cart'

describe.each(databaseKinds)('A restored cart on %s', (kind) => {
  let world: RestoreWorld

  beforeAll(async () => {
    world = await openRestoreWorld(kind)
  })
  afterAll(() => world.close())

  /** A cart of the visitor's own, with things in it. */
  const fill = async (visitor: VisitorBrowser, qty = '3'): Promise<StoredCart> => {
    const form = { productId: String(world.product), qty }
    const response = await visitor.post(updateCart, form, { ajax: true })
    return (await response.json()) as StoredCart
  }
  const current = async (visitor: VisitorBrowser) => {
    const response = await visitor.post(updateCart, {}, { ajax: true })
    return (await response.json()) as { id: number; quantity: number }
  }
  const secretOf = async ({ id }: StoredCart) => (await world.stored(id)).secret
  const write = ({ id }: { id: number }, collection: string, data: Record<string, unknown>) =>
    world.store.payload.db.updateOne({ collection, id, data, returning: false })

  it("is the visitor's cart from then on", async () => {
    const cart = await world.leave()
    const visitor = world.browser()
    await visitor.get(linkTo(cart))
    expect(await current(visitor)).toMatchObject({ id: cart.id, quantity: 2 })
    expect(await fill(visitor)).toMatchObject({ id: cart.id, quantity: 5 })
  })

  it('is the same after any number of GETs as after one', async () => {
    const cart = await world.leave({ customer: null })
    const visitor = world.browser()
    await fill(visitor)
    await visitor.get(linkTo(cart))
    const once = { session: await visitor.session(), data: await world.snapshot() }
    for (let times = 0; times < 3; times += 1) await visitor.get(linkTo(cart))
    expect({ session: await visitor.session(), data: await world.snapshot() }).toEqual(once)
  })

  it('is the same for several visitors and scanners at once', async () => {
    const { payload } = world.store
    const data = { email: `once-${kind}@shop.example`, password: 'tea' }
    const { id: customer } = await payload.create({ collection: 'users', data })
    await write({ id: Number(customer) }, 'users', noPassword)
    const cart = await world.leave({ customer })
    const visitors = Array.from({ length: 6 }, () => world.browser())
    const answers = await Promise.all(visitors.map((visitor) => visitor.get(linkTo(cart))))
    expect(answers.map(({ status }) => status)).toEqual(visitors.map(() => 302))
    await visitors[0]?.get(linkTo(cart))
    expect(await secretOf(cart)).toBeNull()
  })

  it.each<[string, Record<string, unknown>]>([
    ["a guest's cart", {}],
    ['the cart of an account', { customer: 'zofia' }],
    ['a completed cart', { purchasedAt: new Date().toISOString() }],
    ['a cart of another site', { site: 'german' }],
  ])('HEAD answers for %s as GET would, and changes nothing', async (_, changes) => {
    const cart = await world.leave({
      ...changes,
      ...(changes.customer !== undefined && { customer: world.users.zofia }),
      ...(changes.site !== undefined && { site: world.sites.german }),
    })
    const before = await world.snapshot()
    const head = await world.open(shopOrigin + linkTo(cart), { method: 'HEAD' })
    expect(await head.text()).toBe('')
    expect(head.headers.getSetCookie()).toEqual([])
    expect(await world.snapshot()).toEqual(before)

    const get = await world.open(shopOrigin + linkTo(cart))
    expect(head.status).toBe(get.status)
    for (const name of ['location', 'x-error-code', 'content-type', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
  })

  it.each([
    ['a link', { 'sec-purpose': 'prefetch' }],
    ['a page', { 'sec-purpose': 'prefetch;prerender' }],
    ['an older browser', { purpose: 'prefetch' }],
  ])('is not brought back by what %s fetches in advance', async (_, purpose) => {
    const guests = await world.leave()
    const theirs = await world.leave({ customer: world.users.zofia })
    const visitor = await world.loggedIn(daniel)
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'sec-fetch-site': 'none', ...purpose }
    const before = await world.snapshot()
    for (const cart of [guests, theirs]) {
      const early = await world.open(shopOrigin + linkTo(cart), { headers })
      expect(early.headers.getSetCookie()).toEqual([])
      expect(await world.snapshot()).toEqual(before)
      const asGuest = await world.open(shopOrigin + linkTo(cart), { headers: purpose })
      expect(asGuest.headers.getSetCookie()).toEqual([])
    }
    await visitor.get(linkTo(guests))
    expect((await visitor.session()).cartId).toBe(guests.id)
  })

  it('keeps the cart that the visitor had before, and says so once', async () => {
    const visitor = world.browser()
    const former = await fill(visitor)
    const cart = await world.leave()
    await visitor.get(linkTo(cart))
    const session = await visitor.session()
    expect(session).toMatchObject({ cartId: cart.id, formerCartIds: [former.id] })
    expect(session.flash?.slice(-2)).toEqual([restored, formerKept])
    await visitor.get(linkTo(cart))
    expect(await visitor.session()).toEqual(session)
    expect(await world.stored(former.id)).toMatchObject({ items: [{ quantity: 3 }] })
  })

  it('keeps every cart that it takes the place of, the last one first', async () => {
    const visitor = world.browser()
    const former = await fill(visitor)
    const [first, second] = [await world.leave(), await world.leave()]
    for (const cart of [first, second, second]) await visitor.get(linkTo(cart))
    const formerCartIds = [first.id, former.id]
    expect(await visitor.session()).toMatchObject({ cartId: second.id, formerCartIds })
  })

  it('changes places with the former cart when that is brought back', async () => {
    const visitor = world.browser()
    const former = await fill(visitor)
    const cart = await world.leave()
    for (const { number } of [cart, former]) await visitor.get(linkTo({ number }))
    expect(await visitor.session()).toMatchObject({ cartId: former.id, formerCartIds: [cart.id] })
  })

  it('says nothing of a former cart that is empty or bought', async () => {
    const visitor = world.browser()
    const former = await fill(visitor)
    await visitor.post(updateCart, { clearLineItems: '1' }, { ajax: true })
    await visitor.get(linkTo(await world.leave()))
    expect((await visitor.session()).formerCartIds).toBeUndefined()

    const buyer = world.browser()
    const bought = await fill(buyer)
    await write(bought, 'carts', { purchasedAt: new Date().toISOString() })
    await buyer.get(linkTo(await world.leave()))
    expect((await buyer.session()).formerCartIds).toBeUndefined()
    expect(former.id).not.toBe(bought.id)
  })

  it('forgets the former cart when it is the one that comes back to an empty one', async () => {
    const visitor = world.browser()
    const former = await fill(visitor)
    await visitor.get(linkTo(await world.leave()))
    await visitor.post(updateCart, { clearLineItems: '1' }, { ajax: true })
    await visitor.get(linkTo(former))
    const { cartId, formerCartIds } = await visitor.session()
    expect({ cartId, formerCartIds }).toEqual({ cartId: former.id, formerCartIds: undefined })
  })

  it("keeps a customer's own newest cart in mind, which no session names", async () => {
    const other = await world.loggedIn(daniel)
    const own = await fill(other)
    const cart = await world.leave()
    const visitor = await world.loggedIn(daniel)
    await visitor.get(linkTo(cart))
    expect(await visitor.session()).toMatchObject({ cartId: cart.id, formerCartIds: [own.id] })
  })

  it('has no secret when a guest gets it back from an account that nobody can log in to', async () => {
    const { payload } = world.store
    const data = { email: `left-${kind}@shop.example`, password: 'tea' }
    const { id: customer } = await payload.create({ collection: 'users', data })
    const cart = await world.leave({ customer })
    await write({ id: Number(customer) }, 'users', noPassword)
    const visitor = world.browser()
    await visitor.get(linkTo(cart))
    expect((await visitor.session()).cartId).toBe(cart.id)
    expect(await secretOf(cart)).toBeNull()
  })

  it('costs three queries at most', async () => {
    const { payload } = world.store
    const data = { email: `count-${kind}@shop.example`, password: 'tea' }
    const { id: customer } = await payload.create({ collection: 'users', data })
    await write({ id: Number(customer) }, 'users', noPassword)
    const carts = [await world.leave(), await world.leave({ customer })]
    await catchUpFeeds(payload)

    const counts: number[] = []
    for (const cart of carts) {
      const visitor = world.browser()
      for (let times = 0; times < 2; times += 1) {
        world.forgetSites()
        const { statements, end } = countStatements(payload.db)
        await visitor.get(linkTo(cart))
        counts.push(statements())
        end()
      }
    }
    expect(counts).toEqual([2, 2, 3, 3])
  })
})

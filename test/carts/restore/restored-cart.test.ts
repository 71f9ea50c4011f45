import { describe, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import { beforeStatements } from '../../support/before-statements.js'
import { catchUpFeeds } from '../../support/catch-up-feeds.js'
import { countStatements } from '../../support/count-statements.js'
import { anyKind } from '../../support/store.js'
import { shopOrigin, type TestBrowser } from '../../support/browser.js'
import { daniel, linkTo, restoreWorld, type StoredCart, zofia } from './restore-world.js'

const restored = { kind: 'notice', text: 'Your cart has been restored.' }
const formerKept = { kind: 'notice', text: 'The cart that you had before is kept.' }
/** What a browser sends when a link on another site is opened. */
const followed = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}
const updateCart = '/actions/commerce/cart/update-cart'

describe('A restored cart', () => {
  const world = restoreWorld(anyKind)

  /** A cart of the visitor's own, with things in it. */
  const fill = async (visitor: TestBrowser, qty = '3'): Promise<StoredCart> => {
    const form = { productId: String(world.product), qty }
    const response = await visitor.post(updateCart, form, { ajax: true })
    return (await response.json()) as StoredCart
  }
  const current = async (visitor: TestBrowser) => {
    const response = await visitor.post(updateCart, {}, { ajax: true })
    return (await response.json()) as { id: number; quantity: number }
  }
  /** Nobody can log in to such an account. */
  const passwordless = async () => {
    const data = { email: `${randomUUID()}@shop.example`, password: 'tea' }
    const { id } = await world.payload.create({ collection: 'users', data })
    await write({ id: Number(id) }, 'users', { hash: null, salt: null })
    return { id }
  }
  const write = ({ id }: { id: number }, collection: string, data: Record<string, unknown>) =>
    world.payload.db.updateOne({ collection, id, data, returning: false })

  it("is the visitor's cart from then on", async () => {
    const cart = await world.leave()
    const visitor = world.aBrowser()
    await visitor.get(linkTo(cart))
    expect(await current(visitor)).toMatchObject({ id: cart.id, quantity: 2 })
    expect(await fill(visitor)).toMatchObject({ id: cart.id, quantity: 5 })
  })

  it.each(['one after the other', 'all at once'])(
    'is the same after any number of GETs as after one, %s, as a mail scanner sends them',
    async (way) => {
      const repeat = async (get: () => Promise<Response>) => {
        if (way === 'all at once') return Promise.all(Array.from({ length: 10 }, get))
        return [await get(), await get(), await get()]
      }
      const cart = await world.leave()
      await world.open(shopOrigin + linkTo(cart))
      const left = await world.snapshot()
      const answers = await repeat(() => world.open(shopOrigin + linkTo(cart)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]))
      expect(await world.snapshot()).toEqual(left)

      // In the visitor's own browser, with a cart in it.
      const visitor = world.aBrowser()
      await fill(visitor)
      await visitor.copy().get(linkTo(cart))
      const data = await world.snapshot()
      const once = visitor.copy()
      await once.get(linkTo(cart))
      await repeat(() => visitor.get(linkTo(cart)))
      expect(await visitor.session()).toEqual(await once.session())
      expect(await world.snapshot()).toEqual(data)

      // Where somebody else is logged in, who may not have it.
      const other = await world.loggedIn(daniel)
      const own = await fill(other)
      const theirs = await world.leave({ customer: world.users.zofia })
      const before = { session: await other.session(), data: await world.snapshot() }
      const pages = await repeat(() => other.get(linkTo(theirs)))
      expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]))
      expect({ session: await other.session(), data: await world.snapshot() }).toEqual(before)
      expect(await current(other)).toMatchObject({ id: own.id })

      // Where a customer is, whose it becomes.
      const guests = await world.leave()
      const customer = await world.loggedIn(zofia)
      await repeat(() => customer.get(linkTo(guests)))
      const item = { product: world.product, quantity: 2 }
      const becomes = { customer: world.users.zofia, secret: null, items: [item] }
      expect(await world.stored(guests.id)).toMatchObject(becomes)
    },
  )

  it.each<[string, Record<string, string>]>([
    ['a picture', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a frame', { 'sec-fetch-dest': 'iframe' }],
    ['a script', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ['a request with an origin', { origin: 'https://evil.example' }],
  ])('takes the visitor for logged out when another site asks for it as %s', async (_, given) => {
    const cart = await world.leave()
    const visitor = await world.loggedIn(zofia)
    const cookie = visitor.cookie
    const headers = { cookie, ...followed, ...given }
    await world.open(shopOrigin + linkTo(cart), { headers })
    expect(await world.stored(cart.id)).toMatchObject({ customer: null })
  })

  it('never lets a cart of another commerce store on the same origin vanish', async () => {
    const { payload } = world
    const site = { handle: 'ink', name: 'Ink', store: 'ink', cartUrl: '/cart' }
    const data = { ...site, baseUrl: `${shopOrigin}/ink` }
    const { id } = await payload.create({ collection: 'sites', data })
    world.parts.sites.forget()
    const visitor = world.aBrowser()
    const form = { productId: String(world.product), qty: '3' }
    await visitor.post(`/ink${updateCart}`, form, { ajax: true })
    const { cartId: own } = await visitor.session()
    const cart = await world.leave()
    for (let time = 0; time < 2; time += 1) await visitor.get(linkTo(cart))
    expect(await visitor.session()).toMatchObject({ cartId: cart.id, formerCartIds: [own] })
    // Back on the other site it is the visitor's cart, as if nothing had happened.
    const response = await visitor.post(`/ink${updateCart}`, {}, { ajax: true })
    expect(await response.json()).toMatchObject({ id: own, quantity: 3 })
    await payload.delete({ collection: 'sites', id })
    world.parts.sites.forget()
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
    ['the router of Next.js', { rsc: '1' }],
  ])('is not brought back by what %s fetches in advance', async (_, purpose) => {
    const guests = await world.leave()
    const theirs = await world.leave({ customer: world.users.zofia })
    const visitor = await world.loggedIn(daniel)
    const cookie = visitor.cookie
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

  it('is opened by the browser where the router of Next.js asks first, as it gets no page of its own', async () => {
    const cart = await world.leave()
    const asked = await world.open(shopOrigin + linkTo(cart), { headers: { rsc: '1' } })
    expect([asked.status, await asked.text()]).toEqual([204, ''])
    expect(asked.headers.get('cache-control')).toBe('no-store')
  })

  it('keeps every cart that it takes the place of, the last one first, and says so once', async () => {
    const visitor = world.aBrowser()
    const former = await fill(visitor)
    const [first, second] = [await world.leave(), await world.leave()]
    await visitor.get(linkTo(first))
    const session = await visitor.session()
    expect(session).toMatchObject({ cartId: first.id, formerCartIds: [former.id] })
    expect(session.flash?.slice(-2)).toEqual([restored, formerKept])
    for (const cart of [second, second]) await visitor.get(linkTo(cart))
    const formerCartIds = [first.id, former.id]
    expect(await visitor.session()).toMatchObject({ cartId: second.id, formerCartIds })
    expect(await world.stored(former.id)).toMatchObject({ items: [{ quantity: 3 }] })
    // Brought back, a former one changes places.
    await visitor.get(linkTo({ number: former.number }))
    const changed = { cartId: former.id, formerCartIds: [second.id, first.id] }
    expect(await visitor.session()).toMatchObject(changed)
  })

  it('says nothing of a former cart that is empty or bought', async () => {
    const visitor = world.aBrowser()
    const former = await fill(visitor)
    await visitor.post(updateCart, { clearLineItems: '1' }, { ajax: true })
    await visitor.get(linkTo(await world.leave()))
    expect((await visitor.session()).formerCartIds).toBeUndefined()

    const buyer = world.aBrowser()
    const bought = await fill(buyer)
    await write(bought, 'carts', { purchasedAt: new Date().toISOString() })
    await buyer.get(linkTo(await world.leave()))
    expect((await buyer.session()).formerCartIds).toBeUndefined()
    expect(former.id).not.toBe(bought.id)
  })

  it('forgets the former cart when it is the one that comes back to an empty one', async () => {
    const visitor = world.aBrowser()
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
    const { id: customer } = await passwordless()
    const cart = await world.leave({ customer })
    const visitor = world.aBrowser()
    await visitor.get(linkTo(cart))
    expect((await visitor.session()).cartId).toBe(cart.id)
    expect((await world.stored(cart.id)).secret).toBeNull()
  })

  it('is restored also where its moment cannot be written', async () => {
    const cart = await world.leave()
    const end = beforeStatements(world.payload, (statement) => {
      if (/set \\*"?restored_at/i.test(JSON.stringify(statement)))
        throw new Error('The disk is full.')
    })
    const visitor = world.aBrowser()
    const answer = await visitor.get(linkTo(cart))
    end()
    expect(answer.status).toBe(302)
    expect(await current(visitor)).toMatchObject({ id: cart.id, quantity: 2 })
  })

  it('costs three queries at most, and one more the first time', async () => {
    const { id: customer } = await passwordless()
    const carts = [await world.leave(), await world.leave({ customer })]
    await catchUpFeeds(world.payload)
    const counts: number[] = []
    for (const cart of carts) {
      const visitor = world.aBrowser()
      for (let times = 0; times < 2; times += 1) {
        world.parts.sites.forget()
        const { statements, end } = countStatements(world.payload.db)
        await visitor.get(linkTo(cart))
        counts.push(statements())
        end()
      }
    }
    expect(counts).toEqual([3, 2, 4, 3])
  })
})

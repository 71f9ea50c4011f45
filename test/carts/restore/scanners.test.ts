import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SessionData } from '../../../src/http/session.js'
import { anyKind } from '../../support/store.js'
import { shopOrigin, type VisitorBrowser } from '../../support/visitor-browser.js'
import {
  daniel,
  linkTo,
  openRestoreWorld,
  zofia,
  type RestoreWorld,
  type StoredCart,
} from './restore-world.js'

const restored = { kind: 'notice', text: 'Your cart has been restored.' }
const formerKept = { kind: 'notice', text: 'The cart that you had before is kept.' }
const updateCart = '/actions/commerce/cart/update-cart'

type Visit = 'one after the other' | 'all at once'
const ways: [times: number, visit: Visit][] = [
  [1, 'one after the other'],
  [2, 'one after the other'],
  [2, 'all at once'],
  [10, 'one after the other'],
  [10, 'all at once'],
]

describe('A mail scanner', () => {
  let world: RestoreWorld

  beforeAll(async () => {
    world = await openRestoreWorld(anyKind)
  })
  afterAll(() => world.close())

  const fill = async (visitor: VisitorBrowser, place = ''): Promise<StoredCart> => {
    const form = { productId: String(world.product), qty: '3' }
    const response = await visitor.post(place + updateCart, form, { ajax: true })
    return (await response.json()) as StoredCart
  }
  /** Runs `get` that many times. */
  async function repeat(times: number, visit: Visit, get: () => Promise<Response>) {
    if (visit === 'all at once') return Promise.all(Array.from({ length: times }, get))
    const answers: Response[] = []
    for (let time = 0; time < times; time += 1) answers.push(await get())
    return answers
  }
  const account = async ({ cookies }: VisitorBrowser) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { user } = await world.store.payload.auth({
      headers: new Headers({ cookie, 'sec-fetch-site': 'same-origin' }),
    })
    return user?.id
  }
  const isCart = (cart: StoredCart, { cartId, formerCartIds }: Readonly<SessionData>) =>
    [cartId, ...(formerCartIds ?? [])].includes(cart.id)

  describe.each(ways)('that opens a link %i times, %s', (times, visit) => {
    it("leaves what one GET leaves of a guest's cart, without cookies", async () => {
      const cart = await world.leave()
      await world.browser().get(linkTo(cart))
      const once = await world.snapshot()
      const answers = await repeat(times, visit, () => world.open(shopOrigin + linkTo(cart)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 302))
      expect(await world.snapshot()).toEqual(once)
    })

    it('leaves nothing of the cart of an account', async () => {
      const cart = await world.leave({ customer: world.users.zofia })
      const before = await world.snapshot()
      await repeat(times, visit, () => world.open(shopOrigin + linkTo(cart)))
      expect(await world.snapshot()).toEqual(before)
    })

    it("leaves what one GET leaves in the visitor's own browser, with a cart in it", async () => {
      const visitor = world.browser()
      const own = await fill(visitor)
      const cart = await world.leave()
      const once = visitor.copy()
      await once.get(linkTo(cart))
      const [session, data] = [await once.session(), await world.snapshot()]
      expect(session).toMatchObject({ cartId: cart.id, formerCartIds: [own.id] })

      await repeat(times, visit, () => visitor.get(linkTo(cart)))
      expect(await visitor.session()).toEqual(session)
      expect(await world.snapshot()).toEqual(data)
      expect(session.flash?.slice(-2)).toEqual([restored, formerKept])
    })

    it("makes a guest's cart the customer's in whose browser it runs, as one GET does", async () => {
      const visitor = await world.loggedIn(zofia)
      const [first, cart] = [await world.leave(), await world.leave()]
      await visitor.copy().get(linkTo(first))
      await repeat(times, visit, () => visitor.get(linkTo(cart)))
      const [once, stored] = [await world.stored(first.id), await world.stored(cart.id)]
      const item = { product: world.product, quantity: 2 }
      const own = { customer: world.users.zofia, secret: null, items: [item] }
      for (const left of [once, stored]) expect(left).toMatchObject(own)
      for (const changing of ['id', 'number', 'items', 'createdAt', 'updatedAt']) {
        delete once[changing]
        delete stored[changing]
      }
      expect(stored).toEqual(once)
      expect(await account(visitor)).toBe(world.users.zofia)
    })

    it("logs nobody out who may not have the cart, and leaves the visitor's own", async () => {
      const visitor = await world.loggedIn(daniel)
      const own = await fill(visitor)
      const [before, data] = [await visitor.session(), await world.snapshot()]
      const cart = await world.leave({ customer: world.users.zofia })
      const left = await world.stored(cart.id)
      const answers = await repeat(times, visit, () => visitor.get(linkTo(cart)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(await account(visitor)).toBe(world.users.daniel)
      expect(await visitor.session()).toEqual(before)
      expect(isCart(own, before)).toBe(true)
      await world.store.payload.delete({ collection: 'carts', id: cart.id })
      expect(left).toMatchObject({ customer: world.users.zofia })
      expect(await world.snapshot()).toEqual(data)
    })

    it('leaves nothing at all with HEAD', async () => {
      const visitor = await world.loggedIn(zofia)
      await fill(visitor)
      const cart = await world.leave()
      const [before, data] = [await visitor.session(), await world.snapshot()]
      const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { cookie, 'sec-fetch-site': 'none' }
      const head = () => world.open(shopOrigin + linkTo(cart), { method: 'HEAD', headers })
      for (const { status, headers: sent } of await repeat(times, visit, head)) {
        expect([status, sent.getSetCookie()]).toEqual([302, []])
      }
      expect(await visitor.session()).toEqual(before)
      expect(await world.snapshot()).toEqual(data)
    })
  })

  it('with and without cookies at once leaves what each of them leaves', async () => {
    const cart = await world.leave()
    const guest = world.browser()
    await fill(guest)
    await Promise.all([
      world.open(shopOrigin + linkTo(cart)),
      guest.get(linkTo(cart)),
      world.open(shopOrigin + linkTo(cart), { method: 'HEAD' }),
      world.open(shopOrigin + linkTo(cart)),
    ])
    expect((await guest.session()).cartId).toBe(cart.id)
    expect(await world.stored(cart.id)).toMatchObject({ customer: null, items: [{ quantity: 2 }] })
  })

  it('never lets a cart of another commerce store on the same origin vanish', async () => {
    const { payload } = world.store
    const data = { handle: 'ink', name: 'Ink', store: 'ink', cartUrl: '/cart' }
    await payload.create({ collection: 'sites', data: { ...data, baseUrl: `${shopOrigin}/ink` } })
    world.forgetSites()
    const visitor = world.browser()
    const own = await fill(visitor, '/ink')
    const cart = await world.leave()
    for (let time = 0; time < 2; time += 1) {
      await visitor.get(linkTo(cart))
      const session = await visitor.session()
      expect(session.cartId).toBe(cart.id)
      expect(isCart(own, session)).toBe(true)
    }
    // Back on the other site it is the visitor's cart, as if nothing had happened.
    const response = await visitor.post(`/ink${updateCart}`, {}, { ajax: true })
    expect(await response.json()).toMatchObject({ id: own.id, quantity: 3 })
  })
})

import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { CartSummary } from '../../src/carts/update-cart-action.js'
import type { TestBrowser } from '../support/browser.js'
import { createProduct } from '../support/products.js'
import { sharedStore } from '../support/shared-store.js'
import { anyKind, openStore } from '../support/store.js'

// As the extension's provider asks and posts: it selects neither the customer nor the secret.
const asProvider = '/users/me?depth=0&select[id]=true&select[cart]=true'
const cartsPath = '/carts?depth=0&select[items]=true&select[subtotal]=true'

const password = 'green tea, no sugar'

type ShownCart = number | { id: number }
interface Me {
  user: { id: number; email?: string; cart?: { docs: ShownCart[]; hasNextPage: boolean } } | null
}

let tea: number
let browser: TestBrowser

const store = sharedStore(anyKind, { userCart: true })
beforeAll(async () => {
  tea = await createProduct(store.payload)
})
beforeEach(() => {
  browser = store.aBrowser()
})

/** The id of a new account, which the browser is logged in to. */
const logIn = async (role = 'customer', email = `${randomUUID()}@shop.example`) => {
  const data = { email, password, roles: [role] }
  const { id } = await store.payload.create({ collection: 'users', data })
  await browser.apiPost('/users/login', { email, password })
  return Number(id)
}

describe('The carts of GET /api/users/me', () => {
  let customer: number
  let email: string
  beforeEach(async () => {
    email = `${randomUUID()}@shop.example`
    customer = await logIn('customer', email)
  })

  const createCart = async (data: Record<string, unknown> = { customer }) => {
    const cart = await store.payload.create({
      collection: 'carts',
      data: { items: [{ product: tea, quantity: 1 }], currency: 'USD', ...data },
    })
    return Number(cart.id)
  }
  const me = async (path = asProvider) => (await (await browser.api(path)).json()) as Me
  const shownIds = async (path = asProvider) =>
    (await me(path)).user?.cart?.docs.map((cart) => (typeof cart === 'object' ? cart.id : cart))

  it('begin with the cart of the session', async () => {
    const carts = [await createCart(), await createCart(), await createCart()]
    for (const cartId of carts) {
      await browser.changeSession({ cartId })
      const ids = await shownIds()
      expect(ids?.[0]).toBe(cartId)
      expect(ids?.toSorted()).toEqual(carts.toSorted())
    }
  })

  it.each([
    ['as an id', asProvider, 'number'],
    ['as a document', '/users/me?depth=1', 'object'],
  ])('begin with the cart of the session when the list is too short for it, %s', async (...row) => {
    const [, path, form] = row
    const carts = []
    for (let made = 0; made < 12; made += 1) carts.push(await createCart())
    const listed = await shownIds(path)
    const [cartId] = carts.filter((id) => !listed?.includes(id))
    await browser.changeSession({ cartId: Number(cartId) })
    const docs = (await me(path)).user?.cart?.docs ?? []
    expect((await shownIds(path))?.[0]).toBe(cartId)
    expect(docs.map((cart) => typeof cart)).toEqual(docs.map(() => form))
  })

  it('begin with the cart that the pages show, when the session names none', async () => {
    const carts = [await createCart(), await createCart()]
    for (const cartId of carts) {
      const data = { items: [{ product: tea, quantity: 2 }] }
      await store.payload.update({ collection: 'carts', id: cartId, data })
      await browser.post('/actions/users/logout')
      await browser.apiPost('/users/login', { email, password })
      expect((await shownIds())?.[0]).toBe(cartId)
    }
  })

  it('begin with an open cart when the one of the session is completed', async () => {
    const open = await createCart()
    const completed = await createCart({ customer, purchasedAt: new Date().toISOString() })
    await browser.changeSession({ cartId: completed })
    expect((await shownIds())?.[0]).toBe(open)
  })

  it('stay as they are for who has no session', async () => {
    const carts = [await createCart(), await createCart()]
    const before = await shownIds()
    for (const id of carts) {
      await store.payload.update({ collection: 'carts', id, data: { currency: 'USD' } })
      expect(await shownIds()).toEqual(before)
    }
  })

  it("never hold somebody else's cart, nor a guest's that is not theirs yet", async () => {
    const own = await createCart()
    const data = { email: `${randomUUID()}@shop.example`, password }
    const { id: other } = await store.payload.create({ collection: 'users', data })
    for (const whose of [{ customer: other }, {}]) {
      await browser.changeSession({ cartId: await createCart(whose) })
      expect(await shownIds()).toEqual([own])
    }
  })

  it('are left out where the question leaves them out, and nothing else changes', async () => {
    await browser.changeSession({ cartId: await createCart() })
    const { user } = await me('/users/me?depth=0&select[email]=true')
    expect(user).toMatchObject({ id: customer, email })
    expect(user).not.toHaveProperty('cart')
    const body = await me()
    expect(body).toMatchObject({ collection: 'users', token: expect.any(String) as string })
    expect(body.user?.cart?.hasNextPage).toBe(false)
  })

  it('are nobody’s without a login', async () => {
    await browser.changeSession({ cartId: await createCart() })
    browser.cookies.delete('payload-token')
    expect((await me()).user).toBeNull()
  })

  it('are none in a store whose users have none', async () => {
    const plain = await openStore(anyKind)
    onTestFinished(() => plain.close())
    const visitor = plain.aBrowser()
    await plain.payload.create({ collection: 'users', data: { email, password } })
    await visitor.apiPost('/users/login', { email, password })
    await visitor.changeSession({ cartId: 1 })
    const response = await visitor.api(asProvider)
    expect(response.status).toBe(200)
    expect(((await response.json()) as Me).user).not.toHaveProperty('cart')
  })
})

describe('A cart that the browser creates by the API', () => {
  const postCart = async (data: Record<string, unknown> = {}, headers = {}) => {
    const body = { items: [{ product: tea, quantity: 1 }], currency: 'USD', ...data }
    const response = await browser.apiPost(cartsPath, body, headers)
    expect(response.status).toBe(201)
    const { doc } = (await response.json()) as { doc: { id: number } }
    return { id: doc.id, cookies: response.headers.getSetCookie() }
  }
  const cartId = async () => (await browser.session()).cartId
  const shownCart = async () => {
    const response = await browser.post('/actions/commerce/cart/update-cart', {}, { ajax: true })
    return (await response.json()) as CartSummary
  }

  it("is the guest's from then on, and leaves the rest of the session as it is", async () => {
    await browser.changeSession({ returnUrl: '/orders/7' })
    const before = await browser.session()
    const { id, cookies } = await postCart()
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(/^__Host-storeconnect=.*HttpOnly; SameSite=Lax; Secure/)
    expect(await browser.session()).toEqual({ ...before, cartId: id })
    expect(await shownCart()).toMatchObject({ id, quantity: 1 })
    // It is not the only one that the visitor may have again.
    const second = await postCart()
    expect(await browser.session()).toMatchObject({ cartId: second.id, formerCartIds: [id] })
  })

  it("is the customer's from then on", async () => {
    const customer = await logIn()
    const { id } = await postCart({ customer })
    expect(await cartId()).toBe(id)
    expect(await shownCart()).toMatchObject({ id, quantity: 1 })
  })

  it.each([
    ['empty', { items: [] }],
    ['completed', { purchasedAt: new Date().toISOString() }],
    ['deleted', undefined],
  ])('keeps no cart in mind that is %s', async (_, data) => {
    const { id } = await postCart()
    if (data) await store.payload.update({ collection: 'carts', id, data })
    else await store.payload.delete({ collection: 'carts', id })
    const second = await postCart()
    expect(await browser.session()).toMatchObject({ cartId: second.id })
    expect(await browser.session()).not.toHaveProperty('formerCartIds')
  })

  it.each([
    ['for a customer', async () => ({ customer: await logIn() })],
    ['for a guest', () => Promise.resolve({})],
  ])('is not the cart of the member of staff who makes it %s', async (_, dataOf) => {
    const data = await dataOf()
    await logIn('admin')
    const { cookies } = await postCart(data)
    expect(cookies).toEqual([])
    expect(await cartId()).toBeUndefined()
  })

  it("changes nobody's session from the page of somebody else", async () => {
    const { id } = await postCart()
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await postCart({}, foreign)).cookies).toEqual([])
    expect(await cartId()).toBe(id)
  })

  it('sets no cookie when it is changed, or made by the store itself', async () => {
    const customer = await logIn()
    const { id } = await postCart({ customer })
    const changed = await browser.api(`/carts/${id}`, {
      method: 'PATCH',
      body: JSON.stringify({ currency: 'USD' }),
      headers: { 'content-type': 'application/json' },
    })
    expect([changed.status, changed.headers.getSetCookie()]).toEqual([200, []])
    const own = await store.payload.create({ collection: 'carts', data: { currency: 'USD' } })
    expect(own.id).toEqual(expect.any(Number))
    expect(await cartId()).toBe(id)
  })
})

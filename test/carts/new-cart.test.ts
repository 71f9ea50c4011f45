import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CartSummary } from '../../src/carts/update-cart-action.js'
import { createProduct } from '../support/products.js'
import { anyKind, type TestStore } from '../support/store.js'
import { openApiBrowser, openApiStore, type ApiBrowser } from './api-browser.js'

// As the extension's provider posts: it selects neither the customer nor the secret.
const cartsPath = '/carts?depth=0&select[items]=true&select[subtotal]=true'

const password = 'green tea, no sugar'

describe('A cart that the browser creates by the API', () => {
  let store: TestStore
  let tea: number
  let browser: ApiBrowser

  beforeAll(async () => {
    store = await openApiStore(anyKind)
    tea = await createProduct(store.payload)
  })
  afterAll(() => store.close())
  beforeEach(() => {
    browser = openApiBrowser(store)
  })

  const logIn = async (role = 'customer') => {
    const email = `${randomUUID()}@shop.example`
    const data = { email, password, roles: [role] }
    const user = await store.payload.create({ collection: 'users', data })
    await browser.apiPost('/users/login', { email, password })
    return Number(user.id)
  }
  const createCart = async (data: Record<string, unknown> = {}, headers = {}) => {
    const items = [{ product: tea, quantity: 1 }]
    const body = { items, currency: 'USD', ...data }
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

  it("is the guest's from then on", async () => {
    const { id, cookies } = await createCart()
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(/^__Host-storeconnect=.*HttpOnly; SameSite=Lax; Secure/)
    expect(await cartId()).toBe(id)
    expect(await shownCart()).toMatchObject({ id, quantity: 1 })
  })

  it("is the customer's from then on", async () => {
    const customer = await logIn()
    const { id } = await createCart({ customer })
    expect(await cartId()).toBe(id)
    expect(await shownCart()).toMatchObject({ id, quantity: 1 })
  })

  it('leaves the rest of the session as it is', async () => {
    await browser.changeSession({ returnUrl: '/orders/7' })
    const before = await browser.session()
    const { id } = await createCart()
    expect(await browser.session()).toEqual({ ...before, cartId: id })
  })

  it('is not the only one that the visitor may have again', async () => {
    const first = await createCart()
    const second = await createCart()
    expect(await browser.session()).toMatchObject({ cartId: second.id, formerCartIds: [first.id] })
  })

  it.each([
    ['empty', { items: [] }],
    ['completed', { purchasedAt: new Date().toISOString() }],
  ])('keeps no cart in mind that is %s', async (_, data) => {
    const first = await createCart()
    await store.payload.update({ collection: 'carts', id: first.id, data })
    const second = await createCart()
    expect(await browser.session()).toMatchObject({ cartId: second.id })
    expect(await browser.session()).not.toHaveProperty('formerCartIds')
  })

  it('comes in the place of one that is deleted', async () => {
    const first = await createCart()
    await store.payload.delete({ collection: 'carts', id: first.id })
    const second = await createCart()
    expect(await browser.session()).toMatchObject({ cartId: second.id })
  })

  it.each([
    ['for a customer', async () => ({ customer: await logIn() })],
    ['for a guest', () => Promise.resolve({})],
  ])('is not the cart of the member of staff who makes it %s', async (_, dataOf) => {
    const data = await dataOf()
    await logIn('admin')
    const { cookies } = await createCart(data)
    expect(cookies).toEqual([])
    expect(await cartId()).toBeUndefined()
  })

  it("changes nobody's session from the page of somebody else", async () => {
    const { id } = await createCart()
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await createCart({}, foreign)).cookies).toEqual([])
    expect(await cartId()).toBe(id)
  })

  it('sets no cookie when it is changed, or made by the store itself', async () => {
    const customer = await logIn()
    const { id } = await createCart({ customer })
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

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProduct } from '../support/products.js'
import { anyKind, type TestStore } from '../support/store.js'
import { openApiBrowser, openApiStore, type ApiBrowser } from './api-browser.js'

// As the extension's provider asks.
const asProvider = '/users/me?depth=0&select[id]=true&select[cart]=true'

const password = 'green tea, no sugar'

type ShownCart = number | { id: number }
interface Me {
  user: { id: number; email?: string; cart?: { docs: ShownCart[]; hasNextPage: boolean } } | null
}

describe('The carts of GET /api/users/me', () => {
  let store: TestStore
  let tea: number
  let browser: ApiBrowser
  let customer: number
  let email: string

  beforeAll(async () => {
    store = await openApiStore(anyKind)
    tea = await createProduct(store.payload)
  })
  afterAll(() => store.close())
  beforeEach(async () => {
    browser = openApiBrowser(store)
    email = `${randomUUID()}@shop.example`
    customer = await createUser(email)
    await browser.apiPost('/users/login', { email, password })
  })

  const createUser = async (name: string) => {
    const data = { email: name, password, roles: ['customer'] }
    return Number((await store.payload.create({ collection: 'users', data })).id)
  }
  const createCart = async (data: Record<string, unknown> = { customer }) => {
    const items = [{ product: tea, quantity: 1 }]
    const cart = await store.payload.create({
      collection: 'carts',
      data: { items, currency: 'USD', ...data },
    })
    return Number(cart.id)
  }
  const me = async (path = asProvider) => (await (await browser.api(path)).json()) as Me
  const shownIds = async (path = asProvider) =>
    (await me(path)).user?.cart?.docs.map((cart) => (typeof cart === 'object' ? cart.id : cart))

  it.each([
    ['as ids', asProvider],
    ['as documents', '/users/me?depth=1'],
  ])('begin with the cart of the session, %s', async (_, path) => {
    const carts = [await createCart(), await createCart(), await createCart()]
    for (const cartId of carts) {
      await browser.changeSession({ cartId })
      const ids = await shownIds(path)
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
    const other = await createUser(`${randomUUID()}@shop.example`)
    for (const data of [{ customer: other }, {}]) {
      await browser.changeSession({ cartId: await createCart(data) })
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
})

it('A store whose users have no carts answers as before', async () => {
  const store = await openApiStore('sqlite', { userJoins: [] })
  const browser = openApiBrowser(store)
  const email = 'zofia@shop.example'
  await store.payload.create({ collection: 'users', data: { email, password } })
  await browser.apiPost('/users/login', { email, password })
  await browser.changeSession({ cartId: 1 })
  const response = await browser.api(asProvider)
  expect(response.status).toBe(200)
  expect(((await response.json()) as Me).user).not.toHaveProperty('cart')
  await store.close()
})

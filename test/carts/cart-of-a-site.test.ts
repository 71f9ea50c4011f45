import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CartSummary } from '../../src/carts/update-cart-action.js'
import { createProduct } from '../support/products.js'
import { sharedStore } from '../support/shared-store.js'
import { anyKind } from '../support/store.js'
import type { TestBrowser } from '../support/browser.js'

const shop = '/actions/commerce/cart/update-cart'
const german = `/de${shop}`
const trade = `/trade${shop}`

/** Two sites of one commerce store, and one of another, on one origin: they share the session. */
describe('A cart in a store with several sites', () => {
  let browser: TestBrowser
  let sites: { shop: number; german: number; trade: number }
  let tea: number

  const store = sharedStore(anyKind)
  beforeAll(async () => {
    tea = await createProduct(store.payload)
    const site = async (handle: string, changes: object) => {
      const data = { name: handle, handle, ...changes }
      return Number((await store.payload.create({ collection: 'sites', data })).id)
    }
    sites = {
      shop: await site('shop', { baseUrl: 'https://shop.example', store: 'tea', primary: true }),
      german: await site('german', { baseUrl: 'https://shop.example/de', store: 'tea' }),
      trade: await site('trade', { baseUrl: 'https://shop.example/trade', store: 'trade' }),
    }
  })
  beforeEach(() => {
    browser = store.aBrowser()
  })

  const ask = async (path: string, parameters: Record<string, string> = {}) => {
    const response = await browser.post(path, parameters, { ajax: true })
    expect(response.status).toBe(200)
    return (await response.json()) as CartSummary
  }
  const addTea = (path: string) => ask(path, { productId: String(tea) })
  const read = async (id: unknown) =>
    (await store.payload.findByID({
      collection: 'carts',
      id: Number(id),
      depth: 0,
    })) as unknown as Record<string, unknown>
  const newAccount = async () => {
    const email = `${crypto.randomUUID()}@shop.example`
    const login = { email, password: 'green tea, no sugar' }
    const { id } = await store.payload.create({ collection: 'users', data: login })
    const logIn = async (base = '') => {
      const response = await browser.post(`${base}/actions/users/login`, login, { ajax: true })
      expect(response.status).toBe(200)
    }
    return { id: Number(id), logIn }
  }
  const createCart = async (data: object) =>
    Number(
      (
        await store.payload.create({
          collection: 'carts',
          data: { items: [{ product: tea, quantity: 1 }], currency: 'USD', ...data },
        })
      ).id,
    )

  it('is the same on all sites of its commerce store, and stays of the one that it was made on', async () => {
    const { id } = await addTea(german)
    expect((await read(id)).site).toBe(sites.german)
    expect(await addTea(shop)).toMatchObject({ id, quantity: 2 })
    expect((await read(id)).site).toBe(sites.german)
  })

  it('is not the one of another commerce store, and waits for its own', async () => {
    const { id } = await addTea(shop)
    const other = await addTea(trade)
    expect(other.id).not.toBe(id)
    expect(other.quantity).toBe(1)
    expect((await read(other.id)).site).toBe(sites.trade)
    expect(await browser.session()).toMatchObject({ cartId: other.id, formerCartIds: [id] })

    expect(await addTea(german)).toMatchObject({ id, quantity: 2 })
    expect(await browser.session()).toMatchObject({ cartId: id, formerCartIds: [other.id] })
    expect(await ask(trade)).toMatchObject({ id: other.id, quantity: 1 })
  })

  it('stays in the session while the visitor only looks around another commerce store', async () => {
    const { id } = await addTea(shop)
    expect(await ask(trade)).toMatchObject({ id: null })
    expect(await ask(trade, { clearLineItems: '1' })).toMatchObject({ id: null })
    expect(await ask(shop)).toMatchObject({ id, quantity: 1 })
  })

  it('is no former one when it is completed', async () => {
    const { id } = await addTea(shop)
    const data = { purchasedAt: new Date().toISOString() }
    await store.payload.update({ collection: 'carts', id: Number(id), data })
    await addTea(trade)
    expect((await browser.session()).formerCartIds).toBeUndefined()
  })

  it("that is a customer's newest is looked for in the commerce store", async () => {
    const { id: customer, logIn } = await newAccount()
    const older = await createCart({ customer, site: sites.german })
    const newer = await createCart({ customer, site: sites.trade })
    await logIn()
    expect(await ask(shop)).toMatchObject({ id: older })
    expect(await ask(trade)).toMatchObject({ id: newer })
  })

  it('that is older than the sites is of every commerce store', async () => {
    const { id: customer, logIn } = await newAccount()
    const id = await createCart({ customer })
    await store.payload.update({ collection: 'carts', id, data: { site: null } })
    await logIn()
    expect(await ask(trade)).toMatchObject({ id })
    expect(await ask(german)).toMatchObject({ id })
  })

  it("becomes a customer's at a login to its own commerce store", async () => {
    const { id: customer, logIn } = await newAccount()
    const { id } = await addTea(shop)
    await logIn('/trade')
    expect((await read(id)).customer).toBeNull()
    await logIn('/de')
    expect((await read(id)).customer).toBe(customer)
  })

  it("of a guest that becomes a customer's, at login or by a change, cannot be read by its old secret", async () => {
    /** What a browser that kept the secret reads of the cart, logged out. */
    const readBy = async (secret: unknown) => {
      const req = { query: { secret } }
      const found = await store.payload.find({ collection: 'carts', overrideAccess: false, req })
      return found.docs.map(({ id }) => id)
    }
    for (const way of ['login', 'change']) {
      browser = store.aBrowser()
      const id = Number((await addTea(shop)).id)
      const { secret } = await read(id)
      await addTea(shop)
      expect(await readBy(secret)).toEqual([id])
      const { logIn } = await newAccount()
      if (way === 'change') browser = store.aBrowser()
      await logIn()
      if (way === 'change') {
        await browser.changeSession({ cartId: id })
        await addTea(shop)
      }
      expect((await browser.session()).cartId).toBe(id)
      expect(await readBy(secret)).toEqual([])
      expect((await read(id)).secret).toBeNull()
    }
  })
})

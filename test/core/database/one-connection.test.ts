import type { BasePayload } from 'payload'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { partsOf } from '../../support/parts.js'
import { createProduct } from '../../support/products.js'
import { aPurchase, saveOrder } from '../../support/orders.js'
import { noticeRequest } from '../../support/shipping-requests.js'
import { hasPostgres, isPooled, openStore, type TestStore } from '../../support/store.js'
import { shopOrigin } from '../../support/browser.js'

/** Of the 30 of a test store's pool. */
const taken = 29

const account = { email: 'ada@example.com', password: 'correct horse battery' }

/** A busy shop whose changes waited for a second connection, each with one in hand, would stand still. */
describe.runIf(hasPostgres && !isPooled)('With one connection left (postgres)', () => {
  const begun: (string | number | null)[] = []
  let store: TestStore
  let payload: BasePayload
  let cart: { id: number; secret: string }

  beforeAll(async () => {
    store = await openStore('postgres')
    payload = store.payload
    await payload.create({ collection: 'users', data: account })
    const product = await createProduct(payload, { inventory: 100 })
    cart = (await payload.create({
      collection: 'carts',
      data: { items: [{ product, quantity: 1 }], currency: 'USD' },
    })) as unknown as typeof cart
    for (let index = 0; index < taken; index += 1) begun.push(await payload.db.beginTransaction())
  })
  afterAll(async () => {
    for (const id of begun) if (id !== null) await payload.db.rollbackTransaction(id)
    await store.close()
  })
  beforeEach(() => {
    const { sites, marketingSettings } = partsOf(payload)
    sites.forget()
    marketingSettings.forget()
  })

  /** With the session of the shop's pages. */
  async function post(path: string, body: unknown): Promise<number> {
    const browser = store.aBrowser()
    await browser.get('/actions/users/session-info')
    return (await browser.apiPost(path, body)).status
  }

  it('an order is made, changed and shipped', async () => {
    const { id, reference } = await saveOrder(payload)
    await payload.update({ collection: 'orders', id, data: { status: 'cancelled' } })
    const notice = noticeRequest({ order_number: reference, tracking_number: '1Z' })
    expect((await store.handle(notice)).status).toBe(200)
  })

  it('a cart is made by the browser, and taken to the checkout', async () => {
    // Without lines: the extension itself reads the price of each on another connection.
    expect(await post('/carts', { items: [], currency: 'USD' })).toBe(201)
    const purchase = aPurchase(cart, 'grace@example.com')
    expect(await post('/payments/demo/initiate', purchase)).toBe(200)
  })

  it('an account is made, and logs in', async () => {
    const other = { ...account, email: 'grace@example.com' }
    await payload.create({ collection: 'users', data: other })
    expect(await post('/users/login', account)).toBe(200)
  })

  it('settings and sites are saved', async () => {
    await payload.create({
      collection: 'sites',
      data: { handle: 'main', name: 'Main', baseUrl: shopOrigin, enabled: true, primary: true },
    })
    for (const slug of ['shipping-settings', 'marketing-settings'] as const) {
      await payload.updateGlobal({ slug, data: {} })
    }
  })
})

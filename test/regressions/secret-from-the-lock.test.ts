import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  openApiBrowser,
  openApiStore,
  type ApiBrowser,
} from '../marketing/browser-cart/api-browser.js'
import { linkTo, loginPath, zofia } from '../marketing/restore/restore-world.js'
import { createProduct } from '../support/catalogue.js'
import { databaseKinds, type TestStore } from '../support/store.js'
import { shopOrigin } from '../support/visitor-browser.js'

// A guest who gets the cart of a locked account back gets a secret to it, which is a key.
describe.each(databaseKinds)('The secret of a cart whose owner was locked out, on %s,', (kind) => {
  let store: TestStore
  let customer: number
  let tea: number
  let cart: { id: number; number: string }
  let guest: ApiBrowser
  let key: string

  beforeAll(async () => {
    store = await openApiStore(kind)
    const { payload } = store
    const data = { handle: 'main', name: 'Main', baseUrl: shopOrigin, primary: true, cartUrl: '/' }
    await payload.create({ collection: 'sites', data })
    customer = Number((await payload.create({ collection: 'users', data: zofia })).id)
    tea = await createProduct(payload)
  })
  afterAll(() => store.close())

  beforeEach(async () => {
    const data = { items: [{ product: tea, quantity: 2 }], currency: 'USD', customer }
    const { id, number } = await store.payload.create({ collection: 'carts', data })
    cart = { id: Number(id), number: String(number) }
    await lock(new Date(Date.now() + 600_000).toISOString())
    guest = openApiBrowser(store)
    await guest.get(linkTo(cart))
    const { secret } = await store.payload.findByID({ collection: 'carts', id })
    key = String(secret)
    expect(await read()).toMatchObject({ id, items: [{ quantity: 2 }] })
    expect(await write()).toBe(200)
    await lock(null)
  })

  const lock = (lockUntil: string | null) =>
    store.payload.db.updateOne({ collection: 'users', id: customer, data: { lockUntil } })
  const read = async () => {
    const response = await guest.api(`/carts/${cart.id}?depth=0&secret=${key}`)
    return (await response.json()) as unknown
  }
  const write = async () => {
    const init = { method: 'PATCH', body: '{}', headers: { 'content-type': 'application/json' } }
    return (await guest.api(`/carts/${cart.id}?depth=0&secret=${key}`, init)).status
  }

  const ways: [string, () => Promise<unknown>][] = [
    [
      'opens the link',
      async () => {
        const owner = openApiBrowser(store)
        await owner.post(loginPath, zofia)
        await owner.get(linkTo(cart))
        expect((await owner.session()).cartId).toBe(cart.id)
      },
    ],
    [
      'goes on with the cart',
      async () => {
        const owner = openApiBrowser(store)
        await owner.post(loginPath, zofia)
        const form = { productId: String(tea) }
        const path = '/actions/commerce/cart/update-cart'
        const changed = await owner.post(path, form, { ajax: true })
        expect(await changed.json()).toMatchObject({ id: cart.id, quantity: 3 })
      },
    ],
    ['logs in where the guest was', () => guest.copy().post(loginPath, zofia)],
  ]

  it.each(ways)('opens nothing any more once the owner %s', async (_, comeBack) => {
    await comeBack()
    expect(await read()).toHaveProperty('errors')
    expect(await write()).not.toBe(200)
    const stored = await store.payload.findByID({ collection: 'carts', id: cart.id, depth: 0 })
    expect(stored).toMatchObject({ secret: null, customer })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { partsOf } from '../../../src/installation.js'
import { openApiBrowser, openApiStore, type ApiBrowser } from '../api-browser.js'
import { linkTo, zofia } from './restore-world.js'
import { createProduct } from '../../support/products.js'
import { anyKind, type TestStore } from '../../support/store.js'
import { shopOrigin } from '../../support/visitor-browser.js'

// Anybody locks an account with wrong passwords: it must open nothing of it.
describe('The cart of an account that a stranger locked', () => {
  let store: TestStore
  let cart: { id: number; number: string }
  let stranger: ApiBrowser

  const stored = () => store.payload.findByID({ collection: 'carts', id: cart.id, depth: 0 })

  beforeAll(async () => {
    store = await openApiStore(anyKind)
    const { payload } = store
    const site = { handle: 'main', name: 'Main', baseUrl: shopOrigin, primary: true, cartUrl: '/' }
    await payload.create({ collection: 'sites', data: site })
    const { id: customer } = await payload.create({ collection: 'users', data: zofia })
    const items = [{ product: await createProduct(payload), quantity: 2 }]
    const data = { items, currency: 'USD', customer, customerNotes: 'The key is below the mat' }
    const { id, number } = await payload.create({ collection: 'carts', data })
    cart = { id: Number(id), number: String(number) }

    stranger = openApiBrowser(store)
    for (let tries = 0; tries < 5; tries += 1) {
      await stranger.apiPost('/users/login', { ...zofia, password: `guess ${tries}` })
    }
    const account = await payload.db.findOne({ collection: 'users', where: {} })
    expect(account).toMatchObject({ lockUntil: expect.any(String) as string })
  })
  afterAll(() => store.close())

  it('asks a guest to log in, and gives them nothing', async () => {
    const response = await stranger.get(linkTo(cart))
    expect(await response.text()).toContain('<h1>Log In</h1>')
    expect((await stranger.session()).cartId).toBeUndefined()
    expect(await stored()).toMatchObject({ secret: null })
  })

  it('is in nobody else’s hands, even if their session names it', async () => {
    await stranger.changeSession({ cartId: cart.id })
    const answer = await stranger.post('/actions/commerce/cart/update-cart', {}, { ajax: true })
    expect(await answer.json()).toMatchObject({ id: null, number: null, items: [] })
    const holder = { sessionId: 's', cartId: cart.id, visitor: undefined, site: undefined }
    expect(await partsOf(store.payload).carts?.findForBrowser(holder)).toBeUndefined()
  })
})

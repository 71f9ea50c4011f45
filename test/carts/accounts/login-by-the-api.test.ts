import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { zofia } from '../restore/restore-world.js'
import type { TestBrowser } from '../../support/browser.js'
import { createProduct } from '../../support/products.js'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind } from '../../support/store.js'

describe("The session of who uses Payload's own login", () => {
  let browser: TestBrowser
  let tea: number

  const store = sharedStore(anyKind)
  beforeAll(async () => {
    await store.payload.create({ collection: 'users', data: zofia })
    tea = await createProduct(store.payload)
  })
  beforeEach(async () => {
    browser = store.aBrowser()
    await browser.post('/actions/commerce/cart/update-cart', { productId: String(tea) })
    await browser.changeSession({ returnUrl: '/orders/7' })
  })

  it('has a new id after the login, keeps the cart, and has nowhere to go any more', async () => {
    const before = await browser.session()
    expect((await browser.apiPost('/users/login', zofia)).status).toBe(200)
    const { id, cartId, returnUrl } = await browser.session()
    expect(id).not.toBe(before.id)
    expect({ cartId, returnUrl }).toEqual({ cartId: before.cartId, returnUrl: undefined })
    expect(browser.cookies.has('payload-token')).toBe(true)
  })

  it('has a new id and no cart after the logout', async () => {
    await browser.apiPost('/users/login', zofia)
    await browser.changeSession({ returnUrl: '/orders/7' })
    const before = await browser.session()
    expect((await browser.apiPost('/users/logout', {})).status).toBe(200)
    const { id, cartId, returnUrl } = await browser.session()
    expect(id).not.toBe(before.id)
    expect({ cartId, returnUrl }).toEqual({ cartId: undefined, returnUrl: undefined })
  })

  it('stays when the login is refused, refreshed or looked at', async () => {
    const refused = await browser.apiPost('/users/login', { ...zofia, password: 'black tea' })
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []])
    await browser.apiPost('/users/login', zofia)
    const before = await browser.session()
    expect((await browser.apiPost('/users/refresh-token', {})).status).toBe(200)
    expect((await browser.api('/users/me')).status).toBe(200)
    expect(await browser.session()).toEqual(before)
  })

  it('is not begun by a login', async () => {
    const visitor = store.aBrowser()
    await visitor.apiPost('/users/login', zofia)
    expect([...visitor.cookies.keys()]).toEqual(['payload-token'])
  })
})

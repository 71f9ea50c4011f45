import { beforeAll, describe, expect, it } from 'vitest'
import { anyKind } from '../../support/store.js'
import type { TestBrowser } from '../../support/browser.js'
import {
  buttonOn,
  linkTo,
  loginPath,
  logoutPath,
  restoreWorld,
  zofia,
} from '../../carts/restore/restore-world.js'

const origin = 'https://shop.example.org'
const updateCart = '/actions/commerce/cart/update-cart'
const infoPath = '/actions/users/session-info'

// Payload takes no login's cookie from a post whose `Origin` is not the config's `serverURL`.
describe('A site on another host than serverURL', () => {
  let site: number

  const world = restoreWorld(anyKind)
  beforeAll(async () => {
    const data = { handle: 'second', name: 'Second', baseUrl: origin, store: 'tea', cartUrl: '/' }
    site = Number((await world.payload.create({ collection: 'sites', data })).id)
    world.parts.sites.forget()
  })

  const loggedIn = async (): Promise<TestBrowser> => {
    const visitor = world.aBrowser(origin)
    await visitor.post(loginPath, zofia, { ajax: true })
    return visitor
  }
  const isGuest = async (visitor: TestBrowser) => {
    const info = (await (await visitor.get(infoPath)).json()) as { isGuest: boolean }
    return info.isGuest
  }

  it('knows the customer who changes the cart that was brought back', async () => {
    const cart = await world.leave({ customer: world.users.zofia, site })
    const visitor = await loggedIn()
    await visitor.get(linkTo(cart))
    const form = { productId: String(world.product), qty: '3' }
    const response = await visitor.post(updateCart, form, { ajax: true })
    expect(await response.json()).toMatchObject({ id: cart.id, quantity: 5 })
    expect((await visitor.session()).cartId).toBe(cart.id)
  })

  it('ends the login of who logs out to continue', async () => {
    const cart = await world.leave({ customer: world.users.daniel, site })
    const visitor = await loggedIn()
    const kept = visitor.copy()
    const { action, fields } = buttonOn(await (await visitor.get(linkTo(cart))).text())
    const { CSRF_TOKEN: token, ...others } = fields
    await visitor.post(action, others, { token: String(token) })
    expect(await isGuest(visitor)).toBe(true)
    expect(await isGuest(kept)).toBe(true)
  })

  it.each([
    ['cross-site', 'https://evil.example'],
    ['same-site', 'https://evil.example.org'],
    ['cross-site', 'null'],
  ])('takes nothing from a %s page (%s)', async (fetchSite, foreign) => {
    const visitor = await loggedIn()
    const headers = { origin: foreign, 'sec-fetch-site': fetchSite }
    for (const path of [updateCart, logoutPath]) {
      const { status, headers: given } = await visitor.post(path, {}, { ajax: true, headers })
      expect([status, given.get('x-error-code')]).toEqual([400, 'ORIGIN_FOREIGN'])
    }
    const cookie = visitor.cookie
    const asked = await world.open(origin + infoPath, { headers: { cookie, ...headers } })
    expect(await asked.json()).toMatchObject({ isGuest: true })
    expect(await isGuest(visitor)).toBe(false)
  })
})

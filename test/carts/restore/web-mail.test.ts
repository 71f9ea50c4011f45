import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyKind } from '../../support/store.js'
import { shopOrigin, type VisitorBrowser } from '../../support/visitor-browser.js'
import { daniel, linkTo, openRestoreWorld, zofia, type RestoreWorld } from './restore-world.js'

/** What a browser sends when a link on another site is opened. */
const followed = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

describe('A restore link in a web mailer', () => {
  let world: RestoreWorld

  beforeAll(async () => {
    world = await openRestoreWorld(anyKind)
  })
  afterAll(() => world.close())

  const openFrom = (
    visitor: VisitorBrowser,
    path: string,
    headers: Record<string, string> = followed,
  ) => {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return world.open(shopOrigin + path, { headers: { cookie, ...headers } })
  }

  it("restores a logged-in customer's own cart", async () => {
    const cart = await world.leave({ customer: world.users.zofia })
    const response = await openFrom(await world.loggedIn(zofia), linkTo(cart))
    expect(response.headers.get('location')).toBe(`${shopOrigin}/cart`)
  })

  it("asks who is logged in to log out for somebody else's", async () => {
    const cart = await world.leave({ customer: world.users.zofia })
    const response = await openFrom(await world.loggedIn(daniel), linkTo(cart))
    expect(await response.text()).toContain('<h1>Log Out to Continue</h1>')
  })

  it("makes a guest's cart theirs who is logged in", async () => {
    const cart = await world.leave()
    await openFrom(await world.loggedIn(zofia), linkTo(cart))
    expect(await world.stored(cart.id)).toMatchObject({ customer: world.users.zofia })
  })

  it.each<[string, Record<string, string>]>([
    ['a picture', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a frame', { 'sec-fetch-dest': 'iframe' }],
    ['a script', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ['a request with an origin', { origin: 'https://evil.example' }],
  ])('takes the visitor for logged out when another site asks for it as %s', async (_, headers) => {
    const cart = await world.leave()
    const visitor = await world.loggedIn(zofia)
    await openFrom(visitor, linkTo(cart), { ...followed, ...headers })
    expect(await world.stored(cart.id)).toMatchObject({ customer: null })
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { anOrder, saveOrder } from '../../support/orders.js'
import { databaseKinds } from '../../support/store.js'
import { shopOrigin, signed } from '../../support/browser.js'
import {
  buttonOn,
  cartPath,
  codeOf,
  daniel,
  linkTo,
  loginPath,
  logoutPath,
  restoreWorld,
  zofia,
} from './restore-world.js'

const notice = (text: string) => ({ kind: 'notice', text })
const restored = notice('Your cart has been restored.')
const locationOf = (response: Response) => response.headers.get('location') ?? ''

describe.each(databaseKinds)('marketingconnect/cart/restore on %s', (kind) => {
  const world = restoreWorld(kind)
  beforeEach(() => world.log.clear())

  it.each(['', '?number=', '?number=%20', '?number[]=1', '?Number=1'])(
    'Restore rule 1: a missing number is a 400 (%s)',
    async (query) => {
      const response = await world.aBrowser().get(cartPath + query)
      expect(codeOf(response)).toEqual([400, 'CART_NUMBER_MISSING'])
      expect(await response.text()).toContain(
        'This link is not complete. Open it again from the email.',
      )
    },
  )

  it.each([
    '0123456789abcdef0123456789abcdef',
    '0123456789abcdef0123456789abcde',
    '1',
    "' or 1=1 --",
    'ü'.repeat(32),
  ])('Restore rule 1: an unknown number is a 404 (%s)', async (number) => {
    const visitor = world.aBrowser()
    expect(codeOf(await visitor.get(linkTo({ number })))).toEqual([404, 'CART_NOT_FOUND'])
    expect(visitor.cookies.size).toBe(0)
  })

  it('Restore rule 2: a completed cart is a 400, and so is the number of an order whose cart is gone', async () => {
    const cart = await world.leave({ purchasedAt: new Date().toISOString() })
    const order = await saveOrder(world.payload, anOrder())
    for (const { number } of [cart, order]) {
      const response = await world.aBrowser().get(linkTo({ number }))
      expect(codeOf(response)).toEqual([400, 'CART_COMPLETED'])
    }
  })

  it("Restore rule 3: a cart of another site redirects to the link on the order's site", async () => {
    const cart = await world.leave({ site: world.sites.german })
    const query = { coupon: 'TEA-10', expires: '1', signature: 'x', utm_source: 'mail', _kx: 'k' }
    const visitor = world.aBrowser()
    const foreign = { redirect: 'https://evil.example', utm_: '1', __kx: '1', junk: 'gone' }
    const response = await visitor.get(linkTo(cart, { ...query, ...foreign }))
    expect(response.status).toBe(302)
    expect(locationOf(response)).toBe(
      `${shopOrigin}/de${cartPath}?number=${cart.number}&coupon=TEA-10&expires=1&signature=x&utm_source=mail&_kx=k&moved=1`,
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(visitor.cookies.size).toBe(0)
  })

  it('Restore rules 3 and 4: a site that is switched off is tried all the same, and within its commerce store it goes on', async () => {
    const cart = await world.leave({ site: world.sites.old })
    const moved = locationOf(await world.aBrowser().get(linkTo(cart)))
    expect(moved).toMatch(/^https:\/\/old\.example\/actions\/.*&moved=1$/)
    expect(locationOf(await world.open(moved))).toBe('https://old.example/cart')
  })

  it('Restore rule 3: a cart from before the sites counts as one of the current site', async () => {
    const cart = await world.leave({ site: null })
    const { payload } = world
    const data = { site: null }
    await payload.db.updateOne({ collection: 'carts', id: cart.id, data, returning: false })
    const here = await world.open(shopOrigin + linkTo(cart))
    expect(locationOf(here)).toBe(`${shopOrigin}/cart`)
    const there = await world.open(`https://trade.example${linkTo(cart)}`)
    expect(locationOf(there)).toBe('https://trade.example/cart')
  })

  it('Restore rule 4: a cart of another commerce store is a 400 after that redirect', async () => {
    const cart = await world.leave({ site: world.sites.closed })
    const visitor = world.aBrowser()
    const moved = locationOf(await visitor.get(linkTo(cart)))
    expect(moved).toMatch(/^https:\/\/closed\.example\//)
    // The disabled site's host is served by the primary site.
    const response = await world.open(moved)
    expect(codeOf(response)).toEqual([400, 'CART_OF_OTHER_STORE'])
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it("Restore rule 5: a 400 when the order's site has no Cart URL", async () => {
    const { payload } = world
    const site = await payload.create({
      collection: 'sites',
      data: { handle: 'bare', name: 'Bare', store: 'tea', baseUrl: 'https://bare.example' },
    })
    const cart = await world.leave({ site: site.id, customer: world.users.zofia })
    const response = await world.open(`https://bare.example${linkTo(cart)}`)
    // Before anything is said about whose cart it is.
    expect(codeOf(response)).toEqual([400, 'CART_URL_MISSING'])
  })

  it("Restore rule 6: another customer's cart leads to a page to log out", async () => {
    const cart = await world.leave({ customer: world.users.zofia })
    const visitor = await world.loggedIn(daniel)
    const before = await visitor.session()
    const response = await visitor.get(linkTo(cart, { utm_source: 'mail' }))
    expect(response.status).toBe(200)
    const page = await response.text()
    expect(page).toContain('Log Out to Continue')
    // A GET logs nobody out, and the cart stays where it is.
    expect(await visitor.session()).toMatchObject({ id: before.id })
    expect((await visitor.session()).cartId).toBeUndefined()

    const { action, fields } = buttonOn(page)
    expect(action).toBe(logoutPath)
    const { CSRF_TOKEN: token, ...others } = fields
    const loggedOut = await visitor.post(action, others, { token: String(token) })
    expect(loggedOut.status).toBe(303)
    expect(locationOf(loggedOut)).toBe(linkTo(cart, { utm_source: 'mail' }))
    const after = await visitor.session()
    expect(after.id).not.toBe(before.id)

    const again = await visitor.get(locationOf(loggedOut))
    expect(await again.text()).toContain('<h1>Log In</h1>')
  })

  it('Restore rule 6: once logged out, nobody is asked to log in to an account without a password', async () => {
    const { payload } = world
    const account = { email: `passwordless-${kind}@shop.example`, password: 'tea' }
    const { id } = await payload.create({ collection: 'users', data: account })
    const data = { hash: null, salt: null }
    await payload.db.updateOne({ collection: 'users', id, data, returning: false })
    const cart = await world.leave({ customer: id })
    const visitor = await world.loggedIn(daniel)
    const { action, fields } = buttonOn(await (await visitor.get(linkTo(cart))).text())
    const { CSRF_TOKEN: token, ...others } = fields
    const loggedOut = await visitor.post(action, others, { token: String(token) })
    expect(locationOf(await visitor.get(locationOf(loggedOut)))).toBe(`${shopOrigin}/cart`)
    expect((await visitor.session()).cartId).toBe(cart.id)
  })

  it('Restore rule 7: the cart of an account leads to the login, and back after it', async () => {
    const cart = await world.leave({ customer: world.users.zofia })
    const visitor = world.aBrowser()
    const link = linkTo(cart, { utm_source: 'mail' })
    const response = await visitor.get(link)
    expect(response.status).toBe(200)
    const page = await response.text()
    expect(page).toContain('<h1>Log In</h1>')
    const login = `${shopOrigin}/login?${new URLSearchParams({ redirect: link })}`
    expect(buttonOn(page)).toEqual({ action: login, fields: {} })
    const before = await visitor.session()
    expect(before.cartId).toBeUndefined()

    const loggedIn = await visitor.post(loginPath, zofia)
    expect(locationOf(loggedIn)).toBe(link)
    const after = await visitor.session()
    expect(after.id).not.toBe(before.id)
    expect(after.returnUrl).toBeUndefined()
    const back = await visitor.get(locationOf(loggedIn))
    expect(locationOf(back)).toBe(`${shopOrigin}/cart?utm_source=mail`)
    expect((await visitor.session()).cartId).toBe(cart.id)
  })

  it('Restore rule 7: the redirect of the login form wins', async () => {
    const cart = await world.leave({ customer: world.users.zofia })
    const visitor = world.aBrowser()
    await visitor.get(linkTo(cart))
    const redirect = signed(world, '/account')
    const loggedIn = await visitor.post(loginPath, { ...zofia, redirect })
    expect(locationOf(loggedIn)).toBe('/account')
    expect((await visitor.session()).cartId).toBeUndefined()
  })

  it('Restore rule 7: who logs in to another account has to log out again', async () => {
    const cart = await world.leave({ customer: world.users.zofia })
    const visitor = world.aBrowser()
    await visitor.get(linkTo(cart))
    const loggedIn = await visitor.post(loginPath, daniel)
    const back = await visitor.get(locationOf(loggedIn))
    expect(await back.text()).toContain('Log Out to Continue')
  })

  it('Restore rule 8: the cart, the notice, and the redirect to the Cart URL', async () => {
    const cart = await world.leave()
    const visitor = world.aBrowser()
    const response = await visitor.get(linkTo(cart))
    expect(response.status).toBe(302)
    expect(locationOf(response)).toBe(`${shopOrigin}/cart`)
    const { id, ...session } = await visitor.session()
    expect(id).toEqual(expect.any(String))
    expect(session).toEqual({ cartId: cart.id, flash: [restored] })
  })

  it("Restore rule 8: a guest's cart becomes the customer's who opens the link", async () => {
    const cart = await world.leave()
    const visitor = await world.loggedIn(zofia)
    await visitor.get(linkTo(cart))
    expect(await world.stored(cart.id)).toMatchObject({ customer: world.users.zofia })
    // From then on it is theirs alone.
    expect(await (await world.aBrowser().get(linkTo(cart))).text()).toContain('<h1>Log In</h1>')
  })

  it('Restore rule 8: a path may have a slash at its end, and a number capitals', async () => {
    const cart = await world.leave()
    const number = cart.number.toUpperCase()
    const response = await world.open(`${shopOrigin}${cartPath}/?number=${number}`)
    expect(locationOf(response)).toBe(`${shopOrigin}/cart`)
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('refuses %s', async (method) => {
    const cart = await world.leave()
    const response = await world.open(shopOrigin + linkTo(cart), { method })
    expect(codeOf(response)).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(response.headers.get('allow')).toBe('GET, HEAD')
  })

  it('logs once which cart was restored, though browsers ask for it twice', async () => {
    const [good, completed] = [
      await world.leave(),
      await world.leave({ purchasedAt: new Date().toISOString() }),
    ]
    const browser = world.aBrowser()
    for (const cart of [good, good, completed]) await browser.get(linkTo(cart))
    expect(world.log.lines().map(({ msg, cartId, code }) => [msg, cartId ?? code])).toEqual([
      ['Cart restored', good.id],
      ['Request refused', 'CART_COMPLETED'],
    ])
  })
})

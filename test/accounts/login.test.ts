import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CartSummary } from '../../src/carts/update-cart-action.js'
import { partsOf } from '../../src/installation.js'
import { sqlDatabase } from '../../src/database/database.js'
import type { Handle } from '../../src/http/front-door.js'
import { triedLoginsPerAccount, triedLoginsPerMinute } from '../../src/http/login-throttle.js'
import { captureLog } from '../support/captured-log.js'
import { createProduct } from '../support/products.js'
import { anyKind, databaseKinds, openStore, type TestStore } from '../support/store.js'
import { openVisitorBrowser, shopOrigin, type VisitorBrowser } from '../support/visitor-browser.js'

const loginPath = '/actions/users/login'
const logoutPath = '/actions/users/logout'
const cartPath = '/actions/commerce/cart/update-cart'
const loginCookie = 'payload-token'

const zofia = { email: 'zofia@shop.example', password: 'green tea, no sugar' }
const daniel = { email: 'daniel@shop.example', password: 'fountain pen' }

const locationOf = (response: Response) =>
  new URL(response.headers.get('location') ?? '', shopOrigin).href

describe('An account', () => {
  const log = captureLog()
  let store: TestStore
  let handle: Handle
  let browser: VisitorBrowser
  let zofiaId: number
  let tea: number

  beforeAll(async () => {
    store = await openStore(anyKind, { config: log.config })
    handle = store.handle
    tea = await createProduct(store.payload)
    const user = await store.payload.create({ collection: 'users', data: zofia })
    await store.payload.create({ collection: 'users', data: daniel })
    zofiaId = Number(user.id)
  })
  afterAll(() => store.close())
  beforeEach(() => {
    browser = openVisitorBrowser(handle)
    log.clear()
  })

  it('is said to be an admin to the pages of the shop, which do not tell Klaviyo', async () => {
    const admin = { email: 'staff@shop.example', password: 'kettle on the hob' }
    const { payload } = store
    await payload.create({ collection: 'users', data: { ...admin, roles: ['admin'] } })
    await browser.post(loginPath, { email: admin.email, password: admin.password })
    const info = async (): Promise<unknown> =>
      (await browser.get('/actions/users/session-info')).json()
    expect(await info()).toMatchObject({ email: admin.email, isAdmin: true })
    await browser.post(loginPath, { email: zofia.email, password: zofia.password })
    expect(await info()).not.toHaveProperty('isAdmin')
  })

  const visitorOf = ({ cookies }: VisitorBrowser) =>
    partsOf(store.payload).visitorOf({
      url: `${shopOrigin}/`,
      headers: new Headers({
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': 'same-origin',
      }),
    })
  const addTea = async (from = browser) => {
    const response = await from.post(cartPath, { productId: String(tea) }, { ajax: true })
    return (await response.json()) as CartSummary
  }
  const ownerOf = async (id: unknown) => {
    const cart = await store.payload.findByID({ collection: 'carts', id: Number(id), depth: 0 })
    return cart.customer as unknown
  }

  const signed = (target: string) => partsOf(store.payload).forms.redirects.sign(target)

  describe('users/login', () => {
    it('logs in by email and password, in any case and with spaces around', async () => {
      const response = await browser.post(loginPath, {
        email: ' Zofia@Shop.Example ',
        password: zofia.password,
      })
      expect(response.status).toBe(303)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await visitorOf(browser)).toMatchObject({ id: zofiaId, collection: 'users' })
      expect((await browser.session()).flash).toEqual([
        { kind: 'notice', text: 'You are logged in.' },
      ])
    })

    it('takes loginName for the email', async () => {
      const { email: loginName, password } = zofia
      await browser.post(loginPath, { loginName, password })
      expect(await visitorOf(browser)).toMatchObject({ id: zofiaId })
    })

    it('says to a script who is logged in, and nothing else of the account', async () => {
      const response = await browser.post(loginPath, zofia, { ajax: true })
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({
        user: { id: zofiaId, email: zofia.email },
        redirect: null,
      })
      expect((await browser.session()).flash).toBeUndefined()
    })

    it('gives the session a new id and keeps the cart', async () => {
      const { id: cartId } = await addTea()
      const before = await browser.session()
      await browser.post(loginPath, zofia)
      const after = await browser.session()
      expect(after.id).not.toBe(before.id)
      expect(after.cartId).toBe(cartId)
    })

    it('makes the cart of the guest that the customer was theirs', async () => {
      const { id } = await addTea()
      expect(await ownerOf(id)).toBeNull()
      await browser.post(loginPath, zofia)
      expect(await ownerOf(id)).toBe(zofiaId)
    })

    it('goes to the return URL of the session, once', async () => {
      await browser.changeSession({ returnUrl: '/orders/7' })
      expect(locationOf(await browser.post(loginPath, zofia))).toBe(`${shopOrigin}/orders/7`)
      expect((await browser.session()).returnUrl).toBeUndefined()
      expect(locationOf(await browser.post(loginPath, zofia))).toBe(`${shopOrigin}/`)
    })

    it('goes to the redirect of the form before the return URL of the session', async () => {
      const redirect = signed('/account')
      await browser.changeSession({ returnUrl: '/orders/7' })
      const response = await browser.post(loginPath, { ...zofia, redirect })
      expect(locationOf(response)).toBe(`${shopOrigin}/account`)
    })

    it.each([
      ['a wrong password', { ...zofia, password: 'black tea' }],
      ['an account that is not there', { ...zofia, email: 'nobody@shop.example' }],
      ['no password', { email: zofia.email }],
      ['a blank password', { email: zofia.email, password: ' ' }],
      ['no email', { password: zofia.password }],
      ['an email that is a list', { 'email[]': zofia.email, password: zofia.password }],
    ])('answers %s with the same sentence', async (_, parameters) => {
      const sentence = 'The email or the password did not match.'
      const ajax = await browser.post(loginPath, parameters, {
        ajax: true,
      })
      expect(ajax.status).toBe(401)
      expect(await ajax.json()).toEqual({ errors: [{ message: sentence }] })

      const referer = `${shopOrigin}/login`
      const form = await browser.post(loginPath, parameters, {
        headers: { referer },
      })
      expect(form.status).toBe(303)
      expect(locationOf(form)).toBe(referer)
      expect((await browser.session()).flash).toEqual([{ kind: 'error', text: sentence }])
      expect(browser.cookies.has(loginCookie)).toBe(false)
    })

    it('stays on the page of the form when it is refused, and keeps the return URL', async () => {
      await browser.changeSession({ returnUrl: '/orders/7' })
      const response = await browser.post(
        loginPath,
        { ...zofia, password: '', redirect: signed('/account') },
        { headers: { referer: `${shopOrigin}/login` } },
      )
      expect(locationOf(response)).toBe(`${shopOrigin}/login`)
      expect((await browser.session()).returnUrl).toBe('/orders/7')
    })

    it('answers a locked account like a wrong password, right password or not', async () => {
      const locked = { email: 'locked@shop.example', password: 'oolong' }
      await store.payload.create({ collection: 'users', data: locked })
      const where = { email: { equals: locked.email } }
      const lockUntil = new Date(Date.now() + 600_000).toISOString()
      await store.payload.db.updateOne({ collection: 'users', where, data: { lockUntil } })
      const response = await browser.post(loginPath, locked, { ajax: true })
      expect(response.status).toBe(401)
    })

    it('makes an address wait that tried too often, before it looks at the password', async () => {
      const address = '203.0.113.7'
      for (let tried = 0; tried < triedLoginsPerMinute; tried += 1) {
        await browser.post(loginPath, { email: 'x@shop.example', password: 'x' }, { address })
      }
      const refused = await browser.post(loginPath, zofia, { address })
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      const elsewhere = await browser.post(loginPath, zofia, { address: '203.0.113.8' })
      expect(elsewhere.headers.getSetCookie().join()).toContain(loginCookie)
    })

    it('never makes an address wait for logins that succeed', async () => {
      const address = '203.0.113.9'
      for (let tried = 0; tried <= triedLoginsPerMinute; tried += 1) {
        expect((await browser.post(loginPath, zofia, { address })).status).toBe(303)
      }
    })

    it('counts very long names as one account, however they end', async () => {
      const statusOf = async (tried: number) => {
        const email = `${'x'.repeat(300)}${tried}@shop.example`
        return (await browser.post(loginPath, { email, password: 'x' }, { ajax: true })).status
      }
      const first = await statusOf(0)
      const others = await Promise.all(
        Array.from({ length: triedLoginsPerAccount }, (_, tried) => statusOf(tried + 1)),
      )
      expect([first, ...others].filter((status) => status === 429)).toHaveLength(1)
    })

    it('does nothing without the CSRF token', async () => {
      const response = await browser.post(loginPath, zofia, { token: null })
      expect(response.status).toBe(400)
      expect(browser.cookies.has(loginCookie)).toBe(false)
    })

    it('writes neither emails nor passwords to the log', async () => {
      await browser.post(loginPath, { ...zofia, password: 'hibiscus' })
      await browser.post(loginPath, zofia)
      expect(log.text()).not.toMatch(/hibiscus|zofia@|green tea/)
      expect(log.lines()).toContainEqual(
        expect.objectContaining({ msg: 'Login refused', reason: 'AuthenticationError' }),
      )
    })
  })

  describe('users/logout', () => {
    it('ends the login, also for whoever kept the cookie', async () => {
      await browser.post(loginPath, zofia)
      const kept = browser.copy()
      const response = await browser.post(logoutPath)
      expect(response.status).toBe(303)
      expect(browser.cookies.has(loginCookie)).toBe(false)
      expect(await visitorOf(kept)).toBeUndefined()
    })

    it('gives the session a new id and takes the cart of the account out of it', async () => {
      await browser.post(loginPath, zofia)
      const { id } = await addTea()
      await browser.changeSession({ formerCartIds: [7] })
      const before = await browser.session()
      await browser.post(logoutPath)
      const after = await browser.session()
      expect(after.id).not.toBe(before.id)
      expect([after.cartId, after.formerCartIds]).toEqual([undefined, undefined])
      expect((await addTea()).id).not.toBe(id)
    })

    it('is harmless twice, and leaves the cart of a guest alone', async () => {
      const { id } = await addTea()
      const replies = [
        await browser.post(logoutPath, {}, { ajax: true }),
        await browser.post(logoutPath, {}, { ajax: true }),
      ]
      for (const reply of replies) expect(await reply.json()).toEqual({ user: null })
      expect((await browser.session()).cartId).toBe(id)
    })

    it('is a POST with a CSRF token', async () => {
      await browser.post(loginPath, zofia)
      expect((await browser.get(logoutPath)).status).toBe(405)
      expect((await browser.post(logoutPath, {}, { token: null })).status).toBe(400)
      expect(await visitorOf(browser)).toMatchObject({ id: zofiaId })
    })
  })

  describe("A customer's cart", () => {
    it('is found again on another device', async () => {
      const login = { ...daniel, email: 'two-devices@shop.example' }
      await store.payload.create({ collection: 'users', data: login })
      await browser.post(loginPath, login)
      const { id } = await addTea()
      const other = openVisitorBrowser(handle)
      await other.post(loginPath, login)
      expect(await addTea(other)).toMatchObject({ id, quantity: 2 })
    })

    it('is one, when two devices begin it at once', async () => {
      const email = 'twice@shop.example'
      await store.payload.create({ collection: 'users', data: { ...daniel, email } })
      const devices = [openVisitorBrowser(handle), openVisitorBrowser(handle)]
      for (const device of devices) await device.post(loginPath, { ...daniel, email })
      const carts = await Promise.all(devices.map((device) => addTea(device)))
      expect(carts[0]?.id).toBe(carts[1]?.id)
      expect(carts.map(({ quantity }) => quantity).sort()).toEqual([1, 2])
    })

    it('belongs to who puts something in while logged in', async () => {
      await browser.post(loginPath, zofia)
      const { id } = await addTea()
      expect(await ownerOf(id)).toBe(zofiaId)
    })

    it("is not somebody else's, whatever the session says", async () => {
      await browser.post(loginPath, zofia)
      const { id: cartId } = await addTea()
      const other = openVisitorBrowser(handle)
      await other.changeSession({ cartId: Number(cartId) })
      expect((await addTea(other)).id).not.toBe(cartId)
      await other.changeSession({ cartId: Number(cartId) })
      await other.post(loginPath, daniel)
      expect((await addTea(other)).id).not.toBe(cartId)
      expect(await ownerOf(cartId)).toBe(zofiaId)
    })

    it('of an account that nobody can log in to may be in the hands of a guest', async () => {
      const email = 'locked-out@shop.example'
      const { id: customer } = await store.payload.create({
        collection: 'users',
        data: { ...daniel, email },
      })
      const items = [{ product: tea, quantity: 1 }]
      const data = { items, customer, currency: 'USD' }
      const { id } = await store.payload.create({ collection: 'carts', data })
      await browser.changeSession({ cartId: Number(id) })
      const held = await browser.copy().post(cartPath, {}, { ajax: true })
      expect(await held.json()).toMatchObject({ id: null })

      const where = { email: { equals: email } }
      const change = (data: Record<string, unknown>) =>
        store.payload.db.updateOne({ collection: 'users', where, data })
      await change({ lockUntil: new Date(Date.now() + 600_000).toISOString() })
      const locked = await browser.copy().post(cartPath, {}, { ajax: true })
      expect(await locked.json()).toMatchObject({ id: null })

      // Without a password: the guest goes on with a copy of the lines.
      await change({ hash: null, salt: null })
      const copy = await addTea()
      expect(copy).toMatchObject({ quantity: 2 })
      expect(copy.id).not.toBe(id)
    })
  })
})

describe.each(databaseKinds)(
  'A login on %s while the counts of logins cannot be stored',
  (kind) => {
    it('works, and the log has neither the name nor the address', async () => {
      const log = captureLog()
      const store = await openStore(kind, { config: log.config })
      try {
        await store.payload.create({ collection: 'users', data: zofia })
        await sqlDatabase(store.payload).run(sql`drop table request_counts`)
        const browser = openVisitorBrowser(store.handle)
        const response = await browser.post(loginPath, zofia, { address: '203.0.113.10' })
        expect(response.headers.getSetCookie().join()).toContain(loginCookie)
        expect(log.lines()).toContainEqual(
          expect.objectContaining({ msg: 'Logins are counted in memory alone' }),
        )
        expect(log.text()).not.toMatch(/zofia@|203\.0\.113\.10/)
      } finally {
        await store.close()
      }
    })
  },
)

import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CartSummary } from '../../../src/carts/update-cart-action.js'
import { partsOf } from '../../support/parts.js'
import { sqlDatabase } from '../../../src/core/database/database.js'
import {
  triedLoginsPerAccount,
  triedLoginsPerMinute,
} from '../../../src/core/http/login-throttle.js'
import { captureLog } from '../../support/captured-log.js'
import { createProduct } from '../../support/products.js'
import { sharedStore } from '../../support/shared-store.js'
import { anyKind, databaseKinds, openStore } from '../../support/store.js'
import { shopOrigin, type TestBrowser } from '../../support/browser.js'

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
  let browser: TestBrowser
  let zofiaId: number
  let tea: number

  const store = sharedStore(anyKind, { config: log.config })
  beforeAll(async () => {
    tea = await createProduct(store.payload)
    const user = await store.payload.create({ collection: 'users', data: zofia })
    await store.payload.create({ collection: 'users', data: daniel })
    zofiaId = Number(user.id)
  })
  beforeEach(() => {
    browser = store.aBrowser()
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

  const visitorOf = ({ cookies }: TestBrowser) =>
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
    it.each(['email', 'loginName'])(
      'logs in by %s and password, in any case and with spaces around',
      async (name) => {
        const form = { [name]: ' Zofia@Shop.Example ', password: zofia.password }
        const response = await browser.post(loginPath, form)
        expect(response.status).toBe(303)
        expect(response.headers.get('cache-control')).toBe('no-store')
        expect(await visitorOf(browser)).toMatchObject({ id: zofiaId, collection: 'users' })
        expect((await browser.session()).flash).toEqual([
          { kind: 'notice', text: 'You are logged in.' },
        ])
      },
    )

    it('says to a script who is logged in, and nothing else of the account', async () => {
      const response = await browser.post(loginPath, zofia, { ajax: true })
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({
        user: { id: zofiaId, email: zofia.email },
        redirect: null,
      })
      expect((await browser.session()).flash).toBeUndefined()
    })

    it('gives the session a new id and keeps the cart, which becomes the customer’s', async () => {
      const { id: cartId } = await addTea()
      expect(await ownerOf(cartId)).toBeNull()
      const before = await browser.session()
      await browser.post(loginPath, zofia)
      const after = await browser.session()
      expect(after.id).not.toBe(before.id)
      expect(after.cartId).toBe(cartId)
      expect(await ownerOf(cartId)).toBe(zofiaId)
    })

    it('goes to the redirect of the form, else to the return URL of the session, once', async () => {
      await browser.changeSession({ returnUrl: '/orders/7' })
      const redirect = signed('/account')
      const answer = await browser.copy().post(loginPath, { ...zofia, redirect })
      expect(locationOf(answer)).toBe(`${shopOrigin}/account`)
      expect(locationOf(await browser.post(loginPath, zofia))).toBe(`${shopOrigin}/orders/7`)
      expect((await browser.session()).returnUrl).toBeUndefined()
      expect(locationOf(await browser.post(loginPath, zofia))).toBe(`${shopOrigin}/`)
    })

    it.each([
      ['a wrong password', { ...zofia, password: 'black tea' }],
      ['an account that is not there', { ...zofia, email: 'nobody@shop.example' }],
      ['no password', { email: zofia.email }],
      ['a blank password', { email: zofia.email, password: ' ' }],
      ['no email', { password: zofia.password }],
      ['an email that is a list', { 'email[]': zofia.email, password: zofia.password }],
    ])(
      'answers %s with the same sentence, on the page of the form, and keeps the return URL',
      async (_, fields) => {
        const sentence = 'The email or the password did not match.'
        const ajax = await browser.post(loginPath, fields, { ajax: true })
        expect(ajax.status).toBe(401)
        expect(await ajax.json()).toEqual({ errors: [{ message: sentence }] })

        await browser.changeSession({ returnUrl: '/orders/7' })
        const headers = { referer: `${shopOrigin}/login` }
        const posted = { ...fields, redirect: signed('/account') }
        const form = await browser.post(loginPath, posted, { headers })
        expect(form.status).toBe(303)
        expect(locationOf(form)).toBe(headers.referer)
        const { flash, returnUrl } = await browser.session()
        expect([flash, returnUrl]).toEqual([[{ kind: 'error', text: sentence }], '/orders/7'])
        expect(browser.cookies.has(loginCookie)).toBe(false)
      },
    )

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

    it('is a POST with a CSRF token, like the login', async () => {
      expect((await browser.post(loginPath, zofia, { token: null })).status).toBe(400)
      expect(browser.cookies.has(loginCookie)).toBe(false)
      await browser.post(loginPath, zofia)
      expect((await browser.get(logoutPath)).status).toBe(405)
      expect((await browser.post(logoutPath, {}, { token: null })).status).toBe(400)
      expect(await visitorOf(browser)).toMatchObject({ id: zofiaId })
    })
  })

  describe("A customer's cart", () => {
    it('is found again on another device, and is one when two begin it at once', async () => {
      const login = { ...daniel, email: 'two-devices@shop.example' }
      await store.payload.create({ collection: 'users', data: login })
      const devices = [browser, store.aBrowser()]
      for (const device of devices) await device.post(loginPath, login)
      const carts = await Promise.all(devices.map((device) => addTea(device)))
      expect(carts[0]?.id).toBe(carts[1]?.id)
      expect(carts.map(({ quantity }) => quantity).sort()).toEqual([1, 2])
      const third = store.aBrowser()
      await third.post(loginPath, login)
      expect(await addTea(third)).toMatchObject({ id: carts[0]?.id, quantity: 3 })
    })

    it("is not somebody else's, whatever the session says", async () => {
      await browser.post(loginPath, zofia)
      const { id: cartId } = await addTea()
      expect(await ownerOf(cartId)).toBe(zofiaId)
      const other = store.aBrowser()
      await other.changeSession({ cartId: Number(cartId) })
      expect((await addTea(other)).id).not.toBe(cartId)
      await other.changeSession({ cartId: Number(cartId) })
      await other.post(loginPath, daniel)
      expect((await addTea(other)).id).not.toBe(cartId)
      expect(await ownerOf(cartId)).toBe(zofiaId)
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
        const browser = store.aBrowser()
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

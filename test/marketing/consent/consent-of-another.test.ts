import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../src/core/database/database.js'
import type { TestBrowser } from '../../support/browser.js'
import { eventShop } from '../feeds/event-shop.js'
import { createProduct } from '../../support/products.js'
import { aPurchase } from '../../support/orders.js'
import { anyKind } from '../../support/store.js'
import { anOffer } from './consent-offer.js'

const phone = '+447400123456'
const grace = 'grace@example.com'
const mallory = 'mallory@example.com'
const password = 'correct horse battery'
const staff = { email: 'admin@example.com', password }

type Data = Record<string, unknown>

interface Consent {
  email?: Data
  sms?: Data
}

describe('A consent at the checkout', () => {
  let tea: number
  let guest: TestBrowser
  let admin: TestBrowser
  let cartId: number
  let account: { id: number; email: string }
  let accounts = 0

  const settings = { consentList: 'WELCOME', publicApiKey: 'SITEID' }
  const shop = eventShop(anyKind, { options: { marketing: { settings } } })
  beforeAll(async () => {
    const baseUrl = 'https://shop.example'
    const site = { handle: 'main', name: 'Tea', store: 'tea', baseUrl, cartUrl: '/cart' }
    await shop.payload.create({ collection: 'sites', data: { ...site, primary: true } })
    tea = await createProduct(shop.payload, { inventory: 1000 })
    await shop.payload.create({ collection: 'users', data: { ...staff, roles: ['admin'] } })
  })
  beforeEach(async () => {
    admin = aBrowser()
    await admin.apiPost('/users/login', staff)
    const email = `ada${++accounts}@example.com`
    const { id } = await shop.payload.create({ collection: 'users', data: { email, password } })
    account = { id: Number(id), email }
    guest = aBrowser()
    cartId = await putIntoCart(guest)
  })

  const aBrowser = () => shop.aBrowser()
  const update = async (browser: TestBrowser, fields: Record<string, string>) => {
    const path = '/actions/commerce/cart/update-cart'
    const answer = await browser.post(path, fields, { ajax: true })
    expect(answer.status, await answer.clone().text()).toBe(200)
    return (await answer.json()) as { id: number }
  }
  const putIntoCart = async (browser: TestBrowser) =>
    (await update(browser, { productId: String(tea) })).id
  /** Ticks both boxes, in a form with these other fields. */
  const tick = (browser: TestBrowser, fields: Record<string, string> = {}) =>
    update(browser, {
      ...{ 'consent[offer]': anOffer(shop), 'consent[email]': '1', 'consent[sms]': '1' },
      'consent[phone]': phone,
      ...fields,
    })
  const logIn = (browser: TestBrowser, email = account.email) =>
    browser.post('/actions/users/login', { email, password }, { ajax: true })
  const cart = async (id = cartId) =>
    (await shop.payload.findByID({ collection: 'carts', id, depth: 0 })) as unknown as Data & {
      id: number
      number: string
      secret?: string
      consent: Consent
    }
  const restore = async (browser: TestBrowser, id = cartId) => {
    const { number } = await cart(id)
    const answer = await browser.get(`/actions/marketingconnect/cart/restore?number=${number}`)
    expect(answer.status).toBe(302)
  }

  /** Pays for a cart as the extension does, in this browser, and returns the order. */
  async function pay(
    send: (path: string, body: Data) => Promise<Response>,
    customerEmail?: string,
    id = cartId,
  ) {
    const purchase = aPurchase(await cart(id), customerEmail)
    for (const step of ['initiate', 'confirm-order']) {
      const answer = await send(`/payments/demo/${step}`, purchase)
      expect(answer.status, await answer.clone().text()).toBe(200)
    }
    const { docs } = await shop.payload.find({ collection: 'orders', sort: '-id', limit: 1 })
    return docs[0] as unknown as Data & { id: number; consent?: Consent }
  }
  const payIn = (browser: TestBrowser, customerEmail?: string, id = cartId) =>
    pay((path, body) => browser.apiPost(path, body), customerEmail, id)
  const payWithoutSession = (customerEmail: string) =>
    pay((path, body) => shop.aBrowser().apiPost(path, body), customerEmail)

  const subscribed = async () =>
    (await shop.reported()).flatMap(({ message }) =>
      message.kind === 'subscribe' ? [[message.profile.email, message.channels]] : [],
    )
  const valuesOf = ({ email = {}, sms = {} }: Consent = {}) =>
    [...Object.values(email), ...Object.values(sms)].filter(Boolean)
  const expectNothing = async ({ consent }: { consent?: Consent }) => {
    expect(valuesOf(consent)).toEqual([])
    expect(await subscribed()).toEqual([])
  }
  /** The email of each line that the file of proofs has about an order. */
  const emailsInProofOf = async ({ id }: { id: number }) => {
    const answer = await admin.api('/storeconnect/consent-proof.csv')
    expect(answer.status).toBe(200)
    const lines = (await answer.text()).split('\r\n').map((line) => line.split(','))
    return lines.filter(([, order]) => order === `"${id}"`).map(([, , email]) => email)
  }
  const expectBoth = async ({ consent }: { consent?: Consent }, email: string) => {
    expect(consent).toMatchObject({ email: { given: true }, sms: { given: true, phone } })
    expect(await subscribed()).toEqual([[email, ['email', 'sms']]])
  }

  describe.each([
    ['no', {}],
    ['an', { email: grace }],
  ])('that says %s address', (_, said: Record<string, string>) => {
    it('stays that of who gave it, whoever has opened the link meanwhile', async () => {
      await tick(guest, said)
      await restore(aBrowser())
      await expectBoth(await payIn(guest, grace), grace)
    })

    it('is gone when somebody else logs in at the same browser', async () => {
      await tick(guest, said)
      await logIn(guest)
      expect(valuesOf((await cart()).consent)).toEqual([])
      await expectNothing(await payIn(guest))
    })
  })

  describe('that says no address', () => {
    it('is the order’s when the same session pays, also once it has opened the link of its cart', async () => {
      await tick(guest)
      await restore(guest)
      await expectBoth(await payIn(guest, grace), grace)
    })

    const others = [
      'restores the cart',
      'had restored the cart before',
      'buys a cart from before the upgrade, which names no session',
    ]
    it.each(others.flatMap((when) => ['with', 'without'].map((how) => [when, how] as const)))(
      'is not the order’s when somebody else %s, and pays %s a session',
      async (when, how) => {
        const other = aBrowser()
        if (when === 'had restored the cart before') await restore(other)
        await tick(guest)
        if (when === 'restores the cart') await restore(other)
        if (when.startsWith('buys')) {
          const forget = sql`update carts set consent_session = null where id = ${cartId}`
          await sqlDatabase(shop.payload).run(forget)
        }
        const order = how === 'with' ? payIn(other, mallory) : payWithoutSession(mallory)
        await expectNothing(await order)
      },
    )

    it('is gone when a customer restores the cart', async () => {
      const browser = aBrowser()
      await logIn(browser)
      await tick(guest)
      await restore(browser)
      expect(valuesOf((await cart()).consent)).toEqual([])
      await expectNothing(await payIn(browser))
    })

    it('is not the order’s when somebody logs in by the API of Payload and pays at once', async () => {
      await tick(guest)
      await guest.apiPost('/users/login', { email: account.email, password })
      await expectNothing(await payIn(guest))
    })

    it('is not that of an order which an admin makes of the payment', async () => {
      await tick(guest)
      await guest.apiPost('/payments/demo/initiate', aPurchase(await cart(), grace))
      const where = { cart: { equals: cartId } }
      const { docs } = await shop.payload.find({ collection: 'transactions', where })
      const order = { customerEmail: mallory, status: 'processing', amount: 1250, currency: 'USD' }
      const answer = await admin.apiPost('/orders', { ...order, transactions: [docs[0]?.id] })
      expect(answer.status, await answer.clone().text()).toBe(201)
      const { doc } = (await answer.json()) as { doc: { consent?: Consent } }
      await expectNothing(doc)
    })
  })

  describe('that says an address', () => {
    it.each(['with', 'without'])('is that of an order to it, %s a session', async (how) => {
      await tick(guest, { email: ' Grace@Example.com ' })
      await expectBoth(
        await (how === 'with' ? payIn(guest, grace) : payWithoutSession(grace)),
        grace,
      )
    })

    it('is of this address, also when an admin writes another one on the order', async () => {
      await tick(guest, { email: grace })
      const order = await payIn(guest, grace)
      await shop.update('orders', order.id, { customerEmail: mallory })
      await expectBoth(order, grace)
      expect(await emailsInProofOf(order)).toEqual([`"${grace}"`, `"${grace}"`])
    })

    it('is not that of an order to another address', async () => {
      await tick(guest, { email: grace })
      await expectNothing(await payIn(guest, mallory))
    })

    it.each([mallory, grace])(
      'is not that of an order of somebody else who restores the cart, to %s',
      async (email) => {
        const other = aBrowser()
        await tick(guest, { email: grace })
        await restore(other)
        await expectNothing(await payIn(other, email))
      },
    )

    it.each(['', ' by the API of Payload and pays at once'])(
      'is gone when whose address it is logs in at the same browser%s: anybody may have typed it',
      async (way) => {
        const { email } = account
        await tick(guest, { email: email.toUpperCase() })
        await (way === '' ? logIn(guest) : guest.apiPost('/users/login', { email, password }))
        await expectNothing(await payIn(guest))
        if (way === '') expect(valuesOf((await cart()).consent)).toEqual([])
      },
    )

    it.each(['has logged in', 'logs in later'])(
      'is gone when whose address it is restores the cart, and %s',
      async (when) => {
        const { email } = account
        const owner = aBrowser()
        await tick(guest, { email })
        if (when === 'has logged in') await logIn(owner)
        await restore(owner)
        if (when !== 'has logged in') await logIn(owner)
        await expectNothing(await payIn(owner))
      },
    )

    it('is given anew after the login', async () => {
      const { email } = account
      await tick(guest, { email })
      await guest.apiPost('/users/login', { email, password })
      await tick(guest)
      await expectBoth(await payIn(guest), email)
    })

    it('is not that of an order to it without a session, once somebody else had the cart', async () => {
      await tick(guest, { email: grace })
      await restore(aBrowser())
      await expectNothing(await payWithoutSession(grace))
    })

    it('is gone when the extension makes the cart somebody else’s', async () => {
      await tick(guest, { email: grace })
      const { secret } = await cart()
      await guest.apiPost('/users/login', { email: account.email, password })
      const answer = await guest.api(`/carts/${cartId}?secret=${secret}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ customer: account.id }),
      })
      expect(answer.status, await answer.clone().text()).toBe(200)
      expect((await cart()).customer).toBe(account.id)
      expect(valuesOf((await cart()).consent)).toEqual([])
    })
  })

  it('is not that of the cart into which the extension merges the guest’s', async () => {
    const other = aBrowser()
    await logIn(other)
    const target = await putIntoCart(other)
    await tick(guest, { email: account.email })
    const { secret } = await cart()
    const source = { sourceCartID: cartId, sourceSecret: secret }
    const merged = await other.apiPost(`/carts/${target}/merge`, source)
    expect(merged.status, await merged.clone().text()).toBe(200)
    const where = { id: { equals: cartId } }
    expect(await shop.payload.count({ collection: 'carts', where })).toEqual({ totalDocs: 0 })
    await expectNothing(await payIn(other, undefined, target))
  })

  describe('of a customer', () => {
    it('is of the account, also after another login', async () => {
      await logIn(guest)
      await tick(guest)
      await guest.post('/actions/users/logout', {}, { ajax: true })
      await logIn(guest)
      await expectBoth(await payIn(guest), account.email)
    })

    it.each(['changes its email', 'is deleted'])(
      'is of the address that the account had, when it %s later',
      async (what) => {
        const { id, email } = account
        await logIn(guest)
        await tick(guest)
        const order = await payIn(guest)
        await expectBoth(order, email)
        if (what === 'is deleted') await shop.payload.delete({ collection: 'users', id })
        else await shop.update('users', id, { email: `new-${email}` })
        expect(await emailsInProofOf(order)).toEqual([`"${email}"`, `"${email}"`])
      },
    )

    it.each(['keep', 'anonymise'])(
      'proves nothing of whoever is erased after their account, whose orders they %s',
      async (orders) => {
        await logIn(guest)
        await tick(guest)
        const order = await payIn(guest)
        await shop.payload.delete({ collection: 'users', id: account.id })
        const { email } = account
        const answer = await admin.apiPost('/marketing-erasures/erase', { email, orders })
        expect(answer.status, await answer.clone().text()).toBe(201)
        expect(await emailsInProofOf(order)).toEqual([])
        const emails = sql`select consent_email as "email" from orders where id = ${order.id}`
        expect(await sqlDatabase(shop.payload).rows(emails)).toEqual([{ email: null }])
      },
    )

    it('is neither that of a guest nor of another customer at the same browser afterwards', async () => {
      const other = `bob${accounts}@example.com`
      await shop.payload.create({ collection: 'users', data: { email: other, password } })
      await logIn(guest)
      await tick(guest)
      await guest.post('/actions/users/logout', {}, { ajax: true })
      const guestsCart = await putIntoCart(guest)
      await expectNothing(await payIn(guest, mallory, guestsCart))
      await logIn(guest, other)
      const othersCart = await putIntoCart(guest)
      expect([guestsCart, cartId]).not.toContain(othersCart)
      await expectNothing(await payIn(guest, undefined, othersCart))
    })
  })

  it('shows its phone number to nobody who restores the cart', async () => {
    await tick(guest, { email: grace })
    const other = aBrowser()
    await restore(other)
    const { secret } = await cart()
    const answer = await other.api(`/carts/${cartId}?secret=${secret}`)
    expect(answer.status).toBe(200)
    const text = await answer.text()
    expect(text).toContain('"items"')
    for (const told of [phone, grace, 'consentSession', 'tea letter']) {
      expect(text).not.toContain(told)
    }
  })

  it('leaves who the guest is to Klaviyo out of what somebody else does to the cart', async () => {
    const exchangeId = 'kx-Grace_1.SITEID='
    const visit = { consent: '1', _kx: exchangeId }
    await guest.post('/actions/marketingconnect/onsite/visitor', visit, { ajax: true })
    expect((await cart()).exchangeId).toBe(exchangeId)
    const other = aBrowser()
    await restore(other)
    expect(await putIntoCart(other)).toBe(cartId)
    expect((await cart()).exchangeId ?? null).toBeNull()
    await putIntoCart(guest)
    expect((await cart()).exchangeId).toBe(exchangeId)
  })
})

import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { typedConfig } from '../merchant/erasure/typed-config.js'
import { shopOrigin, type TestBrowser } from '../support/browser.js'
import { anAddress } from '../support/orders.js'
import { createProduct } from '../support/products.js'
import { shared } from '../support/shared-store.js'
import { databaseKinds, openShapedStore } from '../support/store.js'
import { formsOf } from '../support/whole-database.js'
import { linkTo, loginPath } from './restore/restore-world.js'

type Data = Record<string, unknown>

const word = 'Adalgisaquux'
/** So long that no id and no secret has it by chance. */
const typedNumber = 471_147_114
const password = 'green tea, no sugar'
const updateCart = '/actions/commerce/cart/update-cart'

describe.each(databaseKinds)('A cart that a customer takes over (%s)', (kind) => {
  const store = shared(() => openShapedStore(kind, typedConfig))
  let tea: number
  let bob: { id: number; email: string; browser: TestBrowser }

  beforeAll(async () => {
    const data = { handle: 'main', name: 'Main', baseUrl: shopOrigin, primary: true, cartUrl: '/' }
    await store.payload.create({ collection: 'sites', data })
    tea = await createProduct(store.payload)
  })
  beforeEach(async () => {
    bob = await aShopper()
  })

  const aShopper = async () => {
    const email = `${randomUUID()}@shop.example`
    const shopper = { collection: 'shoppers', data: { email, password } } as const
    const { id } = await store.payload.create(shopper)
    return { id: Number(id), email, browser: store.aBrowser() }
  }
  const logIn = (browser: TestBrowser, { email } = bob) =>
    browser.post(loginPath, { email, password }, { ajax: true })

  const text = (say: string) => ({
    ...{ customerNotes: say, giftMessage: say, discountCode: say, shippingMethod: say },
    ...{ nickname: say, motto: say, aliases: [say], contact: `${say}@example.com` },
    profile: { name: say },
    gifts: {
      recipient: { greeting: say },
      people: [{ who: say, said: say, wishes: [{ blockType: 'wish', words: say }] }],
    },
    delivery: { firstName: say, addressLine1: say, country: say, floor: typedNumber },
    billingAddress: anAddress({ lastName: say, phone: say, addressLine1: say }),
  })
  const items = () => [{ product: tea, quantity: 2, engraving: word }]
  const typed = () => ({
    ...text(word),
    ...{ items: items(), currency: 'USD', gift: true, discountAmount: typedNumber },
  })
  /** A cart in which somebody has typed everything, in both languages. */
  const leave = async (data: Data = {}) => {
    const made = await store.payload.create({ collection: 'carts', data: { ...typed(), ...data } })
    const { id, number, secret } = made as unknown as { id: number; number: string; secret: string }
    const german = { motto: `${word} auf Deutsch` }
    await store.payload.update({ collection: 'carts', id, data: german, locale: 'de' })
    return { id: Number(id), number, secret }
  }
  /** What was an account's, which is deleted. */
  const leaveByDeletedAccount = async () => {
    const { id: customer } = await aShopper()
    const cart = await leave({ customer })
    await store.payload.delete({ collection: 'shoppers', id: customer })
    return cart
  }
  /** A cart that a guest fills and types into at this browser. */
  const fill = async (browser: TestBrowser) => {
    await browser.post(updateCart, { productId: String(tea), qty: '2' }, { ajax: true })
    const id = Number((await browser.session()).cartId)
    const cart = await store.payload.findByID({ collection: 'carts', id, depth: 0 })
    const { number, secret } = cart as unknown as { number: string; secret: string }
    await store.payload.update({ collection: 'carts', id, data: text(word) })
    return { id, number, secret }
  }

  const listed = async (browser: TestBrowser) => {
    const answers = await Promise.all([
      browser.api('/carts?depth=0'),
      browser.api('/carts?depth=0&locale=all'),
    ])
    const [own, whole] = await Promise.all(answers.map((answer) => answer.text()))
    const { docs } = JSON.parse(String(own)) as { docs: (Data & { id: number })[] }
    return { carts: docs, whole: String(whole) }
  }
  /** The customer has the cart, with its lines and nothing else. */
  const expectLinesAlone = async ({ id }: { id: number }, { browser } = bob) => {
    const { carts, whole } = await listed(browser)
    expect(carts.map((cart) => cart.id)).toEqual([id])
    expect(carts[0]).toMatchObject({
      ...{ items: [{ product: tea, quantity: 2 }], subtotal: 2500, currency: 'USD' },
      customer: bob.id,
    })
    for (const form of formsOf(word)) expect(whole).not.toContain(form)
    expect(whole).not.toContain(String(typedNumber))
    expect(carts[0]).toMatchObject({ gift: null, billingAddress: { country: null } })
  }
  const expectAll = async ({ id }: { id: number }) => {
    const { carts } = await listed(bob.browser)
    expect(carts).toMatchObject([{ id, ...text(word), customer: bob.id }])
  }
  const restore = async (browser: TestBrowser, cart: { number: string }) => {
    const answer = await browser.get(linkTo(cart))
    expect(answer.status).toBe(302)
  }

  it('was an account’s that is deleted: it gives its lines alone, by its link', async () => {
    const cart = await leaveByDeletedAccount()
    await logIn(bob.browser)
    for (let times = 0; times < 2; times += 1) await restore(bob.browser, cart)
    await expectLinesAlone(cart)
  })

  it.each(['by the form', 'by the API of Payload, and changes it'])(
    'was an account’s that is deleted: so it does when a guest restores it and then logs in %s',
    async (how) => {
      const { browser, email } = bob
      const cart = await leaveByDeletedAccount()
      await restore(browser, cart)
      if (how === 'by the form') await logIn(browser)
      else {
        await browser.apiPost('/shoppers/login', { email, password })
        const line = { productId: String(tea), qty: '1' }
        await browser.post(updateCart, line, { ajax: true })
        await browser.post(updateCart, { clearLineItems: '1', ...line, qty: '2' }, { ajax: true })
      }
      await expectLinesAlone(cart)
    },
  )

  it('is of an account that nobody can log in to, and is deleted between restore and login', async () => {
    const { id: customer } = await aShopper()
    const cart = await leave({ customer })
    const nothing = { hash: null, salt: null }
    await store.payload.db.updateOne({ collection: 'shoppers', id: customer, data: nothing })
    await restore(bob.browser, cart)
    await store.payload.delete({ collection: 'shoppers', id: customer })
    await logIn(bob.browser)
    await expectLinesAlone(cart)
  })

  it.each(['logged in', 'as a guest who logs in later'])(
    'is another guest’s: it gives its lines alone to who restores it %s',
    async (how) => {
      const cart = await leave()
      if (how === 'logged in') await logIn(bob.browser)
      await restore(bob.browser, cart)
      if (how !== 'logged in') await logIn(bob.browser)
      await expectLinesAlone(cart)
    },
  )

  it('is another guest’s: so it does when the extension transfers it after the login', async () => {
    const cart = await leave()
    await restore(bob.browser, cart)
    await bob.browser.apiPost('/shoppers/login', { email: bob.email, password })
    const transfer = await bob.browser.api(`/carts/${cart.id}?secret=${cart.secret}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ customer: bob.id, secret: null }),
    })
    expect(transfer.status).toBe(200)
    expect(await transfer.text()).not.toContain(word)
    await expectLinesAlone(cart)
  })

  it('was filled at the same browser by a guest who began to pay with another address', async () => {
    const cart = await fill(bob.browser)
    const payment = { cart: cart.id, customerEmail: 'grace@example.com', status: 'pending' }
    const data = { ...payment, paymentMethod: 'demo', amount: 2500, currency: 'USD' }
    await store.payload.create({ collection: 'transactions', data })
    await logIn(bob.browser)
    await expectLinesAlone(cart)
  })

  it('is the guest’s own: it keeps what they typed, also when they have opened its link', async () => {
    const cart = await fill(bob.browser)
    await restore(bob.browser, cart)
    const payment = { cart: cart.id, customerEmail: bob.email.toUpperCase(), status: 'pending' }
    const data = { ...payment, paymentMethod: 'demo', amount: 2500, currency: 'USD' }
    await store.payload.create({ collection: 'transactions', data })
    await logIn(bob.browser)
    await expectAll(cart)
  })
})

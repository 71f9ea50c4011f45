import type { CollectionConfig } from 'payload'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { linkTo, loginPath } from '../carts/restore/restore-world.js'
import { anOffer } from '../marketing/consent/consent-offer.js'
import { followConsents, leave } from '../marketing/consent/consent-shop.js'
import { eventShop } from '../marketing/feeds/event-shop.js'
import { adalgisa, openErasureShop, type ErasureShop } from '../merchant/erasure/erasure-shop.js'
import { shopOrigin, type TestBrowser } from '../support/browser.js'
import { itemsOf, readExport } from '../support/exported-orders.js'
import { anAddress, anOrder, saveOrder } from '../support/orders.js'
import { createProduct } from '../support/products.js'
import { exportRequest } from '../support/shipping-requests.js'
import type { SimulatedSetup } from '../support/simulated-store.js'
import { databaseKinds } from '../support/store.js'
import { openVersionedStore } from '../support/versioned-store.js'

type Data = Record<string, unknown>

interface SavedCart extends Data {
  id: number
  number: string
  secret: string
}

const versions: Record<string, NonNullable<CollectionConfig['versions']>> = {
  drafts: { drafts: true },
  autosave: { drafts: { autosave: true } },
}
const shapes = databaseKinds.flatMap((kind) =>
  Object.keys(versions).map((shape) => ({ kind, shape })),
)
const openWith = (shape: string): NonNullable<SimulatedSetup['open']> => {
  const own = versions[shape] ?? true
  const all = { carts: own, transactions: own, users: own }
  return (kind, setup) => openVersionedStore(kind, own, { ...setup, versions: all })
}

const password = 'green tea, no sugar'
const exchangeId = 'kx-Grace_1.SITEID='
const updateCart = '/actions/commerce/cart/update-cart'

describe.each(shapes)('A store whose carts, payments and accounts have $shape ($kind)', (of) => {
  const { kind, shape } = of
  let tea: number
  let browser: TestBrowser
  let people = 0
  const settings = { publicApiKey: 'SITEID', followUnsubscribes: true, consentList: 'WELCOME' }
  const shop = eventShop(kind, {
    open: openWith(shape),
    cleared: ['carts', 'transactions', 'payload-kv'],
    options: { marketing: { settings } },
  })
  beforeAll(async () => {
    const data = { handle: 'main', name: 'Main', baseUrl: shopOrigin, primary: true, cartUrl: '/' }
    await shop.payload.create({ collection: 'sites', data })
  })
  beforeEach(async () => {
    tea = await createProduct(shop.payload, { inventory: 1000 })
    browser = shop.aBrowser()
  })

  const signUp = async () => {
    const email = `person${++people}@example.com`
    const { id } = await shop.payload.create({ collection: 'users', data: { email, password } })
    return { id: Number(id), email }
  }
  const logIn = async (as: TestBrowser, { email }: { email: string }) => {
    const answer = await as.post(loginPath, { email, password }, { ajax: true })
    expect(answer.status, await answer.clone().text()).toBe(200)
  }
  const stored = async (collection: string, id: number | string) =>
    (await shop.payload.findByID({ collection, id, depth: 0 })) as unknown as SavedCart
  const add = async (as = browser, fields: Record<string, string> = {}) => {
    const answer = await as.post(updateCart, { productId: String(tea), ...fields }, { ajax: true })
    expect(answer.status, await answer.clone().text()).toBe(200)
    return stored('carts', Number((await as.session()).cartId))
  }
  /** Somebody else, such as the store's own code, saves the cart. */
  const save = ({ id }: { id: number }, data: Data = { currency: 'USD' }) =>
    shop.update('carts', id, data)
  const restore = async (as: TestBrowser, cart: { number: string }) =>
    expect((await as.get(linkTo(cart))).status).toBe(302)
  const pay = async (
    step: string,
    { id, secret }: SavedCart,
    customerEmail = 'ada@example.com',
  ) => {
    const address = { billingAddress: anAddress(), shippingAddress: anAddress() }
    const purchase = { cartID: id, secret, customerEmail, ...address }
    const answer = await shop.aBrowser().apiPost(`/payments/demo/${step}`, purchase)
    expect(answer.status, await answer.clone().text()).toBe(200)
    return (await answer.json()) as { orderID: number; transactionID: number }
  }
  const buy = async (cart: SavedCart, email?: string) => {
    await pay('initiate', cart, email)
    const { orderID } = await pay('confirm-order', cart, email)
    await shop.update('orders', orderID, { shippingAddress: anAddress() })
    return stored('orders', orderID)
  }
  const eventsOf = async ({ number }: { number: string }) => {
    await shop.leaveCarts()
    return (await shop.events(number)).map(({ name }) => name)
  }

  it('finds the cart of a guest, changes it and restores it', async () => {
    const cart = await add()
    expect(cart).toMatchObject({ _status: 'draft', items: [{ quantity: 1 }] })
    expect(await add()).toMatchObject({ id: cart.id, items: [{ quantity: 2 }] })
    const other = shop.aBrowser()
    await restore(other, cart)
    expect(await add(other)).toMatchObject({ id: cart.id, items: [{ quantity: 3 }] })
  })

  it('sends what a customer has left, once for the same contents, and what is empty since', async () => {
    const { id: customer } = await signUp()
    const data = { items: [{ product: tea, quantity: 1 }], currency: 'USD', customer }
    const cart = (await shop.payload.create({ collection: 'carts', data })) as unknown as SavedCart
    expect(await eventsOf(cart)).toEqual(['Updated Cart'])
    await save(cart)
    await shop.loseSends()
    expect(await eventsOf(cart)).toEqual([])
    await save(cart, { items: [] })
    expect(await eventsOf(cart)).toEqual(['Updated Cart'])
  })

  it('gives nothing that a guest typed to who had the link and logs in later', async () => {
    const cart = await add()
    await save(cart, { customerNotes: 'For Ada', billingAddress: anAddress() })
    const other = shop.aBrowser()
    await restore(other, cart)
    await save(cart, { items: [{ product: tea, quantity: 3 }] })
    const account = await signUp()
    await logIn(other, account)
    expect(await stored('carts', cart.id)).toMatchObject({
      ...{ customer: account.id, items: [{ quantity: 3 }], customerNotes: null },
      billingAddress: { lastName: null, phone: null },
    })
  })

  it('remembers that a link put a cart back until it is an order', async () => {
    const cart = await add()
    await restore(browser, cart)
    await save(cart)
    expect(await buy(cart)).toMatchObject({
      number: cart.number,
      restoredAt: expect.any(String) as string,
    })
  })

  it('leads from a merged cart to the one that took its lines, whatever is saved', async () => {
    const account = await signUp()
    const data = { items: [], currency: 'USD', customer: account.id }
    const { id } = await shop.payload.create({ collection: 'carts', data })
    const source = await add()
    await logIn(browser, account)
    await shop.payload.db.updateOne({
      collection: 'carts',
      id: source.id,
      data: { customer: null, secret: source.secret },
    })
    const merged = { sourceCartID: source.id, sourceSecret: source.secret }
    const answer = await browser.apiPost(`/carts/${id}/merge`, merged)
    expect(answer.status, await answer.clone().text()).toBe(200)
    for (let saves = 0; saves < 2; saves += 1) {
      await browser.changeSession({ cartId: source.id })
      await restore(browser, source)
      expect((await browser.session()).cartId).toBe(id)
      await save({ id: Number(id) })
    }
  })

  it('keeps who a guest is to Klaviyo, and forgets it', async () => {
    const tell = (consent: string) =>
      browser.post('marketingconnect/onsite/visitor', { consent, _kx: exchangeId }, { ajax: true })
    await tell('1')
    const data = { items: [{ product: tea, quantity: 2 }], currency: 'USD' }
    const answer = await browser.apiPost('/carts', data)
    const { doc } = (await answer.json()) as { doc: SavedCart }
    await save(doc)
    expect(await stored('carts', doc.id)).toMatchObject({ exchangeId })
    await tell('0')
    await save(doc)
    expect(await stored('carts', doc.id)).toMatchObject({ exchangeId: null })
  })

  it('takes the consent of the checkout to the order', async () => {
    await add()
    const email = 'grace@example.com'
    const answers = { 'consent[offer]': anOffer(shop), 'consent[email]': '1', email }
    const cart = await add(browser, answers)
    await save(cart)
    expect(await buy(cart, email)).toMatchObject({ consent: { email: { given: true } } })
    const kinds = (await shop.reported()).map(({ message }) => message.kind)
    expect(kinds).toContain('subscribe')
  })

  it('exports and reports the lines of a payment as they were when it began', async () => {
    const cart = await add()
    const { transactionID } = await pay('initiate', cart)
    await shop.update('products', tea, { title: 'Black tea', priceInUSD: 9900 })
    await shop.update('transactions', transactionID, { customerEmail: 'ada@example.com' })
    const { orderID } = await pay('confirm-order', cart)
    await shop.update('orders', orderID, { shippingAddress: anAddress() })
    const { orders } = await readExport(await shop.handle(exportRequest()))
    expect(orders.flatMap((order) => itemsOf(order))).toMatchObject([
      { Name: 'Green tea', UnitPrice: '12.50' },
    ])
    expect(await shop.events(cart.number)).toMatchObject([
      { name: 'Started Checkout' },
      { name: 'Placed Order', value: 12.5 },
      { name: 'Ordered Product', value: 12.5 },
    ])
  })

  it('finds an order by the number that was exported, whatever is published since', async () => {
    const order = anOrder({ reference: '1001 ', _status: 'published' })
    const { id } = await saveOrder(shop.payload, order)
    await shop.handle(exportRequest())
    shop.move(1_000)
    const draft = { internalNotes: 'Ask for the address' }
    await shop.payload.update({ collection: 'orders', id, data: draft, draft: true })
    await shop.update('orders', id, { _status: 'published' })
    expect((await shop.ship('1001', { carrier: 'UPS', tracking_number: '1Z' })).status).toBe(200)
    expect(await stored('orders', id)).toMatchObject({ status: 'shipped', ...draft })
  })

  it('logs a customer in, and sends the profile when that changes', async () => {
    const account = await signUp()
    await logIn(browser, account)
    expect(await browser.sessionInfo()).toMatchObject({ isGuest: false })
    const profiles = async () =>
      (await shop.reported()).flatMap(({ message }) =>
        message.kind === 'identify' ? [message.profile.email] : [],
      )
    expect(await profiles()).toEqual([account.email])
    await shop.update('users', account.id, { roles: ['customer'] })
    await shop.loseSends()
    expect(await profiles()).toEqual([])
    await shop.update('users', account.id, { email: `new-${account.email}` })
    expect(await profiles()).toEqual([`new-${account.email}`])
    await shop.update('users', account.id, { email: account.email, password })
  })

  it('shows the consent of a customer who has left, also after the account is saved', async () => {
    const { id, email } = await signUp()
    await leave(shop, email)
    await followConsents(shop)
    const unsubscribed = { emailConsent: { status: 'unsubscribed', source: 'UNSUBSCRIBE' } }
    expect(await stored('users', id)).toMatchObject(unsubscribed)
    await shop.update('users', id, { roles: ['customer'] })
    expect(await stored('users', id)).toMatchObject(unsubscribed)
  })
})

describe.each(shapes)('An erasure where carts, payments and accounts have $shape ($kind)', (of) => {
  let shop: ErasureShop
  afterEach(() => shop.close())

  it('leaves nothing, also in versions', async () => {
    shop = await openErasureShop(of.kind, {}, { open: openWith(of.shape) })
    const { id } = await shop.signUp()
    for (const collection of ['carts', 'transactions']) {
      const { docs } = await shop.payload.find({ collection, depth: 0 })
      for (const each of docs) {
        const data = { billingAddress: anAddress({ lastName: adalgisa.lastName }) }
        await shop.payload.update({ collection, id: each.id, data })
      }
    }
    await shop.payload.update({ collection: 'users', id, data: { roles: ['customer'] } })
    const person = { email: adalgisa.email, orders: 'anonymise' }
    expect((await shop.post('/marketing-erasures/erase', person)).status).toBe(201)
    await shop.finish()
    expect(await shop.search(Object.values(adalgisa))).toEqual([])
  })
})

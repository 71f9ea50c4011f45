import { afterEach, describe, expect, it } from 'vitest'
import { catchUpFeeds } from '../../support/catch-up-feeds.js'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { createProduct } from '../../support/products.js'
import { databaseKinds } from '../../support/store.js'
import { adalgisa, openErasureShop, type ErasureShop } from './erasure-shop.js'

const password = 'correct horse battery'
const changed = 'other@example.com'
const address = anAddress({
  firstName: adalgisa.firstName,
  lastName: adalgisa.lastName,
  addressLine1: adalgisa.street,
  phone: adalgisa.phone,
})

describe.each(databaseKinds)('What was sent under a changed email (%s)', (kind) => {
  let shop: ErasureShop
  afterEach(() => shop.close())

  const erase = (email: string) =>
    shop.post('/marketing-erasures/erase', { email, orders: 'anonymise' })
  const sends = async () => (await shop.sends()).map(({ message }) => message)
  const reported = async () => {
    shop.move(120_000)
    await catchUpFeeds(shop.payload)
  }

  const doors: [string, boolean, (id: number | string) => Promise<unknown>][] = [
    ['the deletion of the account', true, (id) => shop.remove(id)],
    ['its deletion where that erases nobody', false, (id) => shop.remove(id)],
    ['an admin who names the changed email', false, () => erase(changed)],
  ]

  it.each(doors)('goes by %s, and nothing of whoever has that email', async (_, on, remove) => {
    shop = await openErasureShop(kind, {
      marketing: {
        settings: { accountDeletions: on, consentList: 'NEWS' },
        mapUser: ({ id, email }) => ({
          email: email ?? '',
          externalId: String(id),
          lastName: adalgisa.lastName,
        }),
      },
    })
    const { id } = await shop.create('users', { email: adalgisa.email, password })
    await reported()
    await shop.payload.update({ collection: 'users', id, data: { email: changed } })
    await reported()
    const product = await createProduct(shop.payload)
    const cart = await shop.create('carts', {
      customer: id,
      items: [{ product, quantity: 1 }],
      currency: 'USD',
    })
    await shop.create('transactions', {
      cart: cart.id,
      customer: id,
      billingAddress: address,
      currency: 'USD',
      amount: 4250,
      paymentMethod: 'invoice',
      status: 'pending',
    })
    const proof = { given: true, wording: 'Mails?', at: new Date(shop.now()) }
    const own = { billingAddress: address, customer: id, consent: { email: proof } }
    await saveOrder(shop.payload, anOrder({ ...own, customerEmail: null }))
    const bought = await saveOrder(
      shop.payload,
      anOrder({ ...own, customerEmail: 'ada@example.com' }),
    )
    await reported()
    const browser = shop.aBrowser()
    await browser.post('users/login', { email: changed, password }, { ajax: true })
    await browser.track({ 'event[name]': 'Own Event', list: 'NEWS' })
    await browser.track({
      'event[name]': 'Own Order',
      'event[trackOrder]': '1',
      'event[orderId]': String(bought.id),
    })
    const before = await sends()
    const metrics = new Set(
      before.map((message) => (message.kind === 'event' ? message.event.name : message.kind)),
    )
    expect([...metrics]).toEqual(
      expect.arrayContaining([
        ...['identify', 'list-add', 'subscribe', 'Updated Cart', 'Started Checkout'],
        ...['Placed Order', 'Ordered Product', 'Own Event', 'Own Order'],
      ]),
    )
    const guest = shop.aBrowser()
    await guest.track({ email: changed, 'event[name]': 'Guest Event' })
    await saveOrder(shop.payload, anOrder({ customerEmail: changed }))
    await reported()
    const others = (await sends()).slice(before.length)
    expect(others.length).toBeGreaterThan(1)

    await remove(id)
    const left = (await sends()).filter(({ kind: of }) => of !== 'erase')
    // An admin who names the email says that it is the person's.
    expect(left).toEqual(remove === doors[2]?.[2] ? [] : others)
  })
})

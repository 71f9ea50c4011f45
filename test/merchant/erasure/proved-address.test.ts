import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import type { StoreSetup } from '../../support/store-config.js'
import { anyKind } from '../../support/store.js'
import { adalgisa, grace, openErasureShop, type ErasureShop } from './erasure-shop.js'
import { defaultMarketingSettings } from '../../support/default-settings.js'

const mallory = 'mallory@example.com'
const password = 'correct horse battery'

describe('The address of a deleted account', () => {
  let shop: ErasureShop
  afterEach(() => shop.close())

  const open = async (
    setup: Pick<StoreSetup, 'userAuth'> = {},
    settings: Record<string, boolean> = {},
  ) => {
    const options = { erasure: { orders: 'anonymise' }, marketing: { settings } } as const
    shop = await openErasureShop(anyKind, options, setup)
  }
  /** A guest with an order, a payment, an open cart and a profile at Klaviyo. */
  const aGuest = async (email: string) => {
    const shippingAddress = anAddress({ addressLine1: adalgisa.street, phone: '' })
    await saveOrder(shop.payload, anOrder({ customerEmail: email, shippingAddress }))
    const cart = await shop.create('carts', {
      items: [],
      currency: 'USD',
      customerNotes: adalgisa.lastName,
    })
    await shop.create('transactions', {
      cart: cart.id,
      customerEmail: email,
      currency: 'USD',
      amount: 100,
      paymentMethod: 'invoice',
      status: 'pending',
    })
    await shop.round()
    expect(shop.standIn.state.profileByEmail(email)).toBeDefined()
  }
  const change = async (id: number | string, data: object, as: { email: string }) => {
    const { token } = await shop.payload.login({ collection: 'users', data: { ...as, password } })
    const response = await shop.api(
      new Request(`https://shop.example/api/users/${id}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', authorization: `JWT ${token}` },
        body: JSON.stringify(data),
      }),
    )
    expect(response.status).toBe(200)
  }
  const places = ['carts', 'orders', 'transactions']
  const held = async () => {
    const found = await shop.search([adalgisa.email, adalgisa.street, adalgisa.lastName])
    return found.filter((place) => places.includes(place)).sort()
  }
  const deleted = () =>
    shop.standIn.state.calls.filter(({ name }) => name === 'delete-profile').length

  it('is not the one to which a verified customer has changed it', async () => {
    await open()
    await aGuest(adalgisa.email)
    const { id } = await shop.create('users', { email: mallory, password })
    const bought = { customer: id, customerEmail: null, shippingAddress: anAddress({ phone: '' }) }
    const order = await saveOrder(shop.payload, anOrder(bought))
    await shop.round()
    await change(id, { email: adalgisa.email }, { email: mallory })
    await change(id, { _verified: false }, adalgisa)
    await shop.payload.db.updateOne({ collection: 'users', id, data: { _verified: true } })
    await shop.round()
    await shop.remove(id)
    await shop.finish()
    expect(await held()).toEqual(places)
    expect(shop.standIn.state.profileByEmail(adalgisa.email)).toBeDefined()
    // What is the account's goes: its order, and the profile of the address that it has proved.
    expect(shop.standIn.state.profileByEmail(mallory)).toBeUndefined()
    const own = await shop.payload.findByID({ collection: 'orders', id: order.id, depth: 0 })
    expect(own).toMatchObject({ customer: null, shippingAddress: { country: 'GB' } })
    expect(own).not.toMatchObject({
      shippingAddress: { addressLine1: expect.anything() as string },
    })
    expect(await shop.erasures()).toMatchObject([{ orderCount: 1, klaviyo: 'accepted' }])
  })

  it('is not the one that a customer calls verified', async () => {
    await open()
    await aGuest(adalgisa.email)
    const { id } = await shop.create('users', { email: mallory, password })
    const users = { collection: 'users', id } as const
    await shop.payload.update({ ...users, data: { email: adalgisa.email } })
    const data = { email: adalgisa.email, password }
    const { token } = await shop.payload.login({ collection: 'users', data })
    const headers = new Headers({ authorization: `JWT ${token}` })
    const { user } = await shop.payload.auth({ headers })
    for (const _verified of [false, true]) {
      await shop.payload.update({ ...users, data: { _verified }, overrideAccess: false, user })
    }
    await shop.remove(id)
    await shop.finish()
    expect(await held()).toEqual(places)
    expect(deleted()).toBe(0)
  })

  it('is the one that an admin calls verified', async () => {
    await open()
    await aGuest(adalgisa.email)
    const { id } = await shop.create('users', { email: mallory, password, _verified: false })
    const admin = { email: 'boss@example.com', password, roles: ['admin'] }
    await shop.create('users', admin)
    await change(id, { email: adalgisa.email, _verified: true }, { email: admin.email })
    await shop.remove(id)
    await shop.finish()
    expect(await held()).toEqual([])
    expect(shop.standIn.state.profileByEmail(adalgisa.email)).toBeUndefined()
  })

  it.each([
    [
      'is the one that the store’s own code verifies anew',
      [{ _verified: false }, { _verified: true }],
    ],
    ['is not the one that such code calls verified as the former one was', [{ _verified: true }]],
  ])('%s', async (_, [first, ...next]) => {
    await open()
    await aGuest(adalgisa.email)
    const { id } = await shop.create('users', { email: mallory, password })
    for (const data of [{ ...first, email: adalgisa.email }, ...next]) {
      await shop.payload.update({ collection: 'users', id, data })
    }
    await shop.remove(id)
    await shop.finish()
    const isProved = next.length > 0
    expect(await held()).toEqual(isProved ? [] : places)
    expect(shop.standIn.state.profileByEmail(adalgisa.email) === undefined).toBe(isProved)
  })

  it('is none where nobody verifies emails, and of an account from before this was noted', async () => {
    await open({ userAuth: true })
    await aGuest(adalgisa.email)
    const { id } = await shop.create('users', { email: adalgisa.email, password, _verified: null })
    await shop.remove(id)
    await shop.finish()
    expect(await held()).toEqual(places)
    expect(deleted()).toBe(0)
    expect(await shop.erasures()).toMatchObject([{ klaviyo: 'none', orderCount: 0 }])
    await shop.close()

    await open()
    await aGuest(adalgisa.email)
    const older = await shop.create('users', { email: adalgisa.email, password })
    await sqlDatabase(shop.payload).run(sql`update users set verified_email = null`)
    await shop.remove(older.id)
    await shop.finish()
    expect(await held()).toEqual(places)
    // An admin who names the address says whose it is.
    await shop.post('/marketing-erasures/erase', { email: adalgisa.email, orders: 'anonymise' })
    await shop.finish()
    expect(await held()).toEqual([])
  })

  it('takes no order of another account on which it was typed', async () => {
    await open()
    const { id } = await shop.create('users', { email: adalgisa.email, password })
    const { id: customer } = await shop.create('users', { email: grace, password })
    const bought = { customer, customerEmail: adalgisa.email }
    const order = await saveOrder(shop.payload, anOrder(bought))
    await shop.remove(id)
    await shop.finish()
    const where = { id: { equals: order.id } }
    const stored = await shop.payload.find({ collection: 'orders', where, depth: 0 })
    expect(stored.docs).toMatchObject([bought])
  })

  it('is erased only where the merchant has chosen that', async () => {
    await open({}, { accountDeletions: defaultMarketingSettings.accountDeletions })
    await aGuest(adalgisa.email)
    const { id } = await shop.create('users', { email: adalgisa.email, password })
    await shop.remove(id)
    expect(await shop.erasures()).toEqual([])
    expect(await held()).toEqual(places)
  })
})

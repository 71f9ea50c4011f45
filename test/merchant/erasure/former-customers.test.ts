import { afterEach, describe, expect, it } from 'vitest'
import { openUuidStore } from '../../stores/uuid-store.js'
import { itOnceOn } from '../../support/it-once.js'
import { anAddress, anOrder, saveOrder } from '../../support/orders.js'
import { databaseKinds } from '../../support/store.js'
import { adalgisa, grace, openErasureShop, type ErasureShop } from './erasure-shop.js'

const password = 'correct horse battery'
const settings = { accountDeletions: false }
const personal = anAddress({
  firstName: adalgisa.firstName,
  lastName: adalgisa.lastName,
  addressLine1: adalgisa.street,
  phone: adalgisa.phone,
})

describe.each(databaseKinds)('What was an account’s that was not erased (%s)', (kind) => {
  const itOnce = itOnceOn(kind)
  let shop: ErasureShop
  afterEach(() => shop.close())

  const open = async (setup: Parameters<typeof openErasureShop>[2] = {}) => {
    shop = await openErasureShop(kind, { marketing: { settings } }, setup)
  }
  const names = Object.values(adalgisa)
  const preview = async (email = adalgisa.email) => {
    const answer = await shop.post('/marketing-erasures/preview', { email })
    return ((await answer.json()) as { found: unknown }).found
  }
  const erase = (email = adalgisa.email, orders = 'anonymise') =>
    shop.post('/marketing-erasures/erase', { email, orders })
  /** A payment that nothing but the account ties to the person. */
  const pay = (customer: number | string) =>
    shop.create('transactions', {
      customer,
      billingAddress: personal,
      currency: 'USD',
      amount: 4250,
      paymentMethod: 'invoice',
      status: 'pending',
    })
  const all = { hasAccount: false, orderCount: 2, cartCount: 1, paymentCount: 2, addressCount: 1 }
  const each = { id: { exists: true } }
  const inUsers = (more: object) => ({ collection: 'users' as const, ...more })

  const deletions: [string, (id: number | string) => Promise<unknown>][] = [
    ['REST', (id) => shop.remove(id)],
    [
      'REST in bulk',
      () => {
        const url = 'https://shop.example/api/users?where[roles][exists]=false'
        return shop.api(new Request(url, { method: 'DELETE' }))
      },
    ],
    ['the Local API', (id) => shop.payload.delete({ collection: 'users', id })],
    ['the Local API in bulk', () => shop.payload.delete(inUsers({ where: each }) as never)],
  ]

  it.each(deletions)('is found by the email when it went by %s', async (_, remove) => {
    await open()
    const { id } = await shop.signUp()
    await pay(id)
    await shop.create('users', { email: grace, password })
    await remove(id)
    expect(
      await shop.payload.count({ collection: 'users', where: { id: { equals: id } } }),
    ).toEqual({ totalDocs: 0 })
    expect(await preview()).toMatchObject(all)
    expect((await erase(adalgisa.email.toUpperCase())).status).toBe(201)
    await shop.finish()
    expect(await shop.search(names)).toEqual([])
  })

  it('is found in a store of UUIDs, from the trash, in versions, and by an unverified email', async () => {
    await open({
      open: openUuidStore,
      userTrash: true,
      userAuth: true,
      orders: { fields: [], versions: { maxPerDoc: 0 } },
    })
    const { id, order } = await shop.signUp()
    await pay(id)
    await shop.patch(`/orders/${order.id}`, { status: 'completed' })
    await shop.payload.update({
      collection: 'users',
      id,
      data: { deletedAt: new Date(shop.now()).toISOString() },
    })
    await shop.payload.delete({ collection: 'users', id, trash: true })
    expect(await preview()).toMatchObject(all)
    const { docs } = await shop.payload.findVersions({
      collection: 'orders',
      where: { parent: { equals: order.id } },
      sort: 'createdAt',
    })
    await shop.payload.restoreVersion({ collection: 'orders', id: String(docs[0]?.id) })
    expect(await preview()).toMatchObject(all)
    expect((await erase()).status).toBe(201)
    await shop.finish()
    expect(await shop.search(names)).toEqual([])
  })

  itOnce(
    'names the person in no text of its own, and goes with an erasure that keeps orders',
    async () => {
      await open()
      const { id } = await shop.create('users', { email: adalgisa.email, password })
      const bought = await saveOrder(shop.payload, anOrder({ customer: id, customerEmail: null }))
      await shop.remove(id)
      expect(await shop.search([adalgisa.email])).toEqual([])
      expect(await preview()).toMatchObject({ orderCount: 1 })
      await erase(adalgisa.email, 'keep')
      await shop.finish()
      expect(await preview()).toMatchObject({ orderCount: 0 })
      const where = { id: { equals: bought.id } }
      const kept = await shop.payload.find({ collection: 'orders', where, depth: 0 })
      expect(kept.docs).toMatchObject([{ personErased: 'kept', formerCustomer: null }])
    },
  )

  itOnce(
    'is found by the address that it had proved, and by the one it had at the end',
    async () => {
      for (const email of [adalgisa.email, grace]) {
        await open()
        const { id } = await shop.create('users', { email: adalgisa.email, password })
        await shop.payload.update({ collection: 'users', id, data: { email: grace } })
        await saveOrder(shop.payload, anOrder({ customer: id, customerEmail: null }))
        await shop.remove(id)
        expect(await preview('ada@example.com')).toMatchObject({ orderCount: 0 })
        expect(await preview(email)).toMatchObject({ orderCount: 1 })
        await shop.close()
      }
      await open()
    },
  )

  itOnce('is found when a new account of that email is deleted and erased', async () => {
    await open()
    const account = { email: adalgisa.email, password }
    const { id } = await shop.create('users', account)
    await saveOrder(
      shop.payload,
      anOrder({ customer: id, customerEmail: null, shippingAddress: personal }),
    )
    await shop.remove(id)
    await shop.save({ accountDeletions: true })
    await shop.remove((await shop.create('users', account)).id)
    expect(await shop.erasures()).toMatchObject([{ door: 'account', orderCount: 1 }])
  })

  itOnce('is another account’s when an admin has given it to that one', async () => {
    await open()
    const { id } = await shop.create('users', { email: adalgisa.email, password })
    const { id: customer } = await shop.create('users', { email: grace, password })
    const order = await saveOrder(shop.payload, anOrder({ customer: id, customerEmail: null }))
    await shop.remove(id)
    await shop.patch(`/orders/${order.id}`, { customer })
    expect(await preview()).toMatchObject({ orderCount: 0 })
    await shop.remove(customer)
    expect(await preview()).toMatchObject({ orderCount: 0 })
    expect(await preview(grace)).toMatchObject({ orderCount: 1 })
  })

  itOnce('has an order that was paid after the account was deleted', async () => {
    await open()
    const { id } = await shop.create('users', { email: adalgisa.email, password })
    const owned = { customer: id, currency: 'USD' }
    const cart = await shop.create('carts', { ...owned, items: [], billingAddress: personal })
    const payment = await shop.create('transactions', {
      ...owned,
      cart: cart.id,
      amount: 4250,
      paymentMethod: 'invoice',
      status: 'pending',
    })
    await shop.remove(id)
    await saveOrder(shop.payload, anOrder({ transactions: [payment.id], customerEmail: null }))
    expect(await preview()).toMatchObject({ orderCount: 1, cartCount: 1, paymentCount: 1 })
  })

  itOnce('stays an account’s whose deletion is refused', async () => {
    await open()
    const { id } = await shop.signUp()
    shop.payload.collections.users?.config.hooks.beforeDelete.push(() => {
      throw new Error('An order is open')
    })
    await expect(shop.payload.delete({ collection: 'users', id })).rejects.toThrow('open')
    await shop.payload.update({ collection: 'users', id, data: { email: grace, _verified: false } })
    await shop.payload.update({ collection: 'users', id, data: { _verified: true } })
    // The guest's order and payment alone.
    expect(await preview()).toMatchObject({ orderCount: 1, addressCount: 0 })
    expect(await preview(grace)).toMatchObject({ hasAccount: true, orderCount: 1, addressCount: 1 })
  })
})

import { createLocalReq } from 'payload'
import { afterEach, describe, expect, it } from 'vitest'
import type { StoreConnectOptions } from '../../../src/plugin/options.js'
import { anOrder, saveOrder } from '../../support/orders.js'
import { itOnceOn } from '../../support/it-once.js'
import { databaseKinds } from '../../support/store.js'
import { adalgisa, grace, openErasureShop, type ErasureShop } from './erasure-shop.js'

const anonymising: StoreConnectOptions = { erasure: { orders: 'anonymise' } }

describe.each(databaseKinds)('A deleted account (%s)', (kind) => {
  const itOnce = itOnceOn(kind)
  let shop: ErasureShop
  afterEach(() => shop.close())

  const bulk = 'https://shop.example/api/users?where[roles][exists]=false'
  const names = Object.values(adalgisa)
  const askKlaviyo = ['marketing_erasures', 'marketing_sends']
  const erase = (body: Record<string, unknown>) => shop.post('/marketing-erasures/erase', body)

  it.each([
    ['REST', (id: number | string) => shop.remove(id)],
    ['REST in bulk', () => shop.api(new Request(bulk, { method: 'DELETE' }))],
    ['the Local API', (id: number | string) => shop.payload.delete({ collection: 'users', id })],
    [
      'the Local API in bulk',
      () => shop.payload.delete({ collection: 'users', where: { id: { exists: true } } }),
    ],
  ])('has its person erased when it goes by %s', async (_, remove) => {
    shop = await openErasureShop(kind, anonymising)
    const { id } = await shop.signUp()
    await shop.create('users', { email: grace, password: 'correct horse battery' })
    await remove(id)
    expect((await shop.search(names)).sort()).toEqual(askKlaviyo)
    const done = (await shop.erasures()).filter(({ orderCount }) => orderCount === 2)
    expect(done).toMatchObject([{ state: 'erased', door: 'account', orders: 'anonymise' }])
  })

  it('has its person erased a little later when a deletion in bulk passes over a failure', async () => {
    let isLocked = true
    shop = await openErasureShop(kind, {
      erasure: {
        orders: 'anonymise',
        onErase: () => {
          if (isLocked) throw new Error('The reviews are locked')
        },
      },
    })
    const { id } = await shop.signUp()
    const where = { id: { equals: id } }
    const { errors } = await shop.payload.delete({ collection: 'users', where })
    expect(errors).toMatchObject([{ message: 'The reviews are locked' }])
    // Payload reports the failure, and the account is gone all the same.
    expect(await shop.payload.count({ collection: 'users', where })).toEqual({ totalDocs: 0 })
    expect(await shop.search([adalgisa.street])).toContain('orders')
    isLocked = false
    await shop.finish()
    expect(await shop.search(names)).toEqual([])
  })

  it('comes back with everything when its deletion is rolled back', async () => {
    shop = await openErasureShop(kind, anonymising)
    const { id } = await shop.signUp()
    const before = await shop.search(names)
    const { db } = shop.payload
    const transactionID = (await db.beginTransaction()) ?? undefined
    // SQLite has no transactions unless the store asks for them.
    if (transactionID === undefined) return expect(kind).toBe('sqlite')
    const req = await createLocalReq({ req: { transactionID } }, shop.payload)
    await shop.payload.delete({ collection: 'users', id, req })
    await db.rollbackTransaction(transactionID)
    expect(await shop.search(names)).toEqual(before)
    expect(await shop.erasures()).toEqual([])
    await shop.round()
    expect(shop.standIn.state.profileByEmail(adalgisa.email)).toBeDefined()
  })

  itOnce('takes only itself along when the store’s code deletes another one with it', async () => {
    shop = await openErasureShop(kind, {
      erasure: {
        async onErase({ emails }, { req }) {
          if (emails.includes(grace)) return
          const where = { email: { equals: grace } }
          await req.payload.delete({ collection: 'users', where, req })
        },
      },
    })
    await shop.signUp()
    await shop.create('users', { email: grace, password: 'correct horse battery' })
    const emails = [adalgisa.email, grace]
    const acceptedAt = new Date()
    await shop.parts.outbox.store(
      emails.map((email) => ({
        key: email,
        message: { kind: 'identify', profile: { email } },
        acceptedAt,
      })),
    )
    await shop.round()
    const people = () => emails.map((email) => shop.standIn.state.profileByEmail(email))
    expect(people()).not.toContain(undefined)
    expect((await erase({ email: adalgisa.email, orders: 'anonymise' })).status).toBe(201)
    expect((await shop.erasures()).map(({ door, orders }) => [door, orders]).sort()).toEqual([
      ['account', 'keep'],
      ['admin', 'anonymise'],
    ])
    await shop.finish()
    expect(people()).toEqual([undefined, undefined])
  })

  itOnce(
    'that nobody has verified is erased with its email only when an admin names that',
    async () => {
      shop = await openErasureShop(kind, anonymising)
      const { email } = adalgisa
      const signUp = () =>
        shop.create('users', { email, password: 'correct horse battery', _verified: null })
      await saveOrder(shop.payload, anOrder({ customerEmail: email }))
      await shop.remove((await signUp()).id)
      expect(await shop.search([email])).toContain('orders')
      await signUp()
      const answer = await erase({ email, orders: 'anonymise' })
      expect(await answer.json()).toMatchObject({ erased: { orderCount: 1 } })
      await shop.finish()
      expect(await shop.search([email])).toEqual([])
    },
  )
})

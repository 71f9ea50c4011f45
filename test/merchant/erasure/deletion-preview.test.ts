import { createLocalReq } from 'payload'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import { anyKind } from '../../support/store.js'
import { adalgisa, grace, openErasureShop, type ErasureShop } from './erasure-shop.js'

const password = 'correct horse battery'

describe('What an account page says of its deletion', () => {
  let shop: ErasureShop
  const choice = { orders: 'anonymise' as const, keepFields: ['invoiceNumber'] }
  afterAll(() => shop.close())

  beforeAll(async () => {
    shop = await openErasureShop(
      anyKind,
      { erasure: choice },
      // Everybody may read all accounts, and delete the own one.
      {
        userAccess: {
          read: () => true,
          delete: ({ req: { user } }) => user !== null && { id: { equals: user.id } },
        },
      },
    )
  })
  const set = (data: Record<string, unknown>) =>
    shop.payload.updateGlobal({ slug: 'marketing-settings', data })
  beforeEach(() => set({ privateApiKey: demoApiKey, accountDeletions: true }))
  const readAs = async (email: string, id: number | string) => {
    const { token } = await shop.payload.login({ collection: 'users', data: { email, password } })
    const headers = new Headers({ authorization: `JWT ${token}` })
    const { user } = await shop.payload.auth({ headers })
    const req = await createLocalReq(user ? { user } : {}, shop.payload)
    return shop.parts.erasures.previewDeletion(id, req)
  }

  it('is what the deletion then erases, and erases nothing', async () => {
    const { id } = await shop.signUp()
    await shop.round()
    const preview = await readAs(adalgisa.email, id)
    expect(preview).toMatchObject({
      found: { orderCount: 2, cartCount: 1, paymentCount: 1, addressCount: 1 },
      ...choice,
      emailsAtKlaviyo: [adalgisa.email.toLowerCase()],
    })
    expect(await shop.erasures()).toEqual([])
    expect(await readAs(adalgisa.email, id)).toEqual(preview)
    // An admin is told what the store keeps.
    const answer = await shop.post('/marketing-erasures/preview', { email: adalgisa.email })
    expect(await answer.json()).toMatchObject(choice)
    await shop.payload.delete({ collection: 'users', id })
    expect(await shop.erasures()).toMatchObject([
      { ...preview?.found, orders: preview?.orders, klaviyo: 'waiting' },
    ])
  })

  it('is nothing to who may not delete the account, and where the merchant has not chosen that', async () => {
    const { id } = await shop.create('users', { email: 'ada@example.com', password })
    await shop.create('users', { email: grace, password })
    expect(await readAs(grace, id)).toBeUndefined()
    expect(await readAs('ada@example.com', id)).toBeDefined()
    // In a shop without a key Klaviyo is not asked.
    await set({ privateApiKey: '' })
    expect(await readAs('ada@example.com', id)).toMatchObject({ emailsAtKlaviyo: [] })
    await set({ accountDeletions: false })
    expect(await readAs('ada@example.com', id)).toBeUndefined()
  })
})

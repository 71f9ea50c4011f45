import { createLocalReq } from 'payload'
import { afterEach, describe, expect, it } from 'vitest'
import { partsOf } from '../../src/installation.js'
import { anyKind } from '../support/store.js'
import { adalgisa, grace, openErasureShop, type ErasureShop } from './erasure-shop.js'

const password = 'correct horse battery'

describe('What an account page says of its deletion', () => {
  let shop: ErasureShop
  afterEach(() => shop.close())

  const open = async (settings: Record<string, boolean | string> = {}) => {
    shop = await openErasureShop(
      anyKind,
      { erasure: { orders: 'anonymise', keepFields: ['invoiceNumber'] }, marketing: { settings } },
      // Everybody may read all accounts, and delete the own one.
      {
        userAccess: {
          read: () => true,
          delete: ({ req: { user } }) => user !== null && { id: { equals: user.id } },
        },
      },
    )
  }
  const readAs = async (email: string, id: number | string) => {
    const { token } = await shop.payload.login({ collection: 'users', data: { email, password } })
    const headers = new Headers({ authorization: `JWT ${token}` })
    const { user } = await shop.payload.auth({ headers })
    const req = await createLocalReq(user ? { user } : {}, shop.payload)
    return partsOf(shop.payload).erasures.previewDeletion(id, req)
  }

  it('is what the deletion then erases, and erases nothing', async () => {
    await open()
    const { id } = await shop.signUp()
    await shop.deliver()
    const preview = await readAs(adalgisa.email, id)
    expect(preview).toMatchObject({
      found: { orderCount: 2, cartCount: 1, paymentCount: 1, addressCount: 1 },
      orders: 'anonymise',
      keepFields: ['invoiceNumber'],
      emailsAtKlaviyo: [adalgisa.email.toLowerCase()],
    })
    expect(await shop.erasures()).toEqual([])
    expect(await readAs(adalgisa.email, id)).toEqual(preview)
    await shop.payload.delete({ collection: 'users', id })
    expect(await shop.erasures()).toMatchObject([
      { ...preview?.found, orders: preview?.orders, klaviyo: 'waiting' },
    ])
  })

  it('is told to an admin with the fields that the store keeps', async () => {
    await open()
    const answer = await shop.post('/marketing-erasures/preview', { email: adalgisa.email })
    expect(await answer.json()).toMatchObject({
      orders: 'anonymise',
      keepFields: ['invoiceNumber'],
    })
  })

  it('is nothing to a reader who may not delete the account', async () => {
    await open()
    const { id } = await shop.create('users', { email: adalgisa.email, password })
    await shop.create('users', { email: grace, password })
    expect(await readAs(grace, id)).toBeUndefined()
    expect(await readAs(adalgisa.email, id)).toBeDefined()
  })

  it('says that Klaviyo is not asked, in a shop without a key', async () => {
    await open({ privateApiKey: '' })
    const { id } = await shop.create('users', { email: adalgisa.email, password })
    expect(await readAs(adalgisa.email, id)).toMatchObject({ emailsAtKlaviyo: [] })
  })

  it('is nothing where the merchant has not chosen that it erases', async () => {
    await open({ accountDeletions: false })
    const { id } = await shop.create('users', { email: adalgisa.email, password })
    expect(await readAs(adalgisa.email, id)).toBeUndefined()
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { anOrder, saveOrder } from '../../support/orders.js'
import { anyKind } from '../../support/store.js'
import { adalgisa, grace, openErasureShop, type ErasureShop } from './erasure-shop.js'

const password = 'correct horse battery'
const consent = { sms: { given: true, wording: 'Texts?', at: new Date(), phone: adalgisa.phone } }

describe('The proof of a deleted order', () => {
  let shop: ErasureShop
  afterEach(() => shop.close())

  const isProofKept = async () =>
    (await shop.search([adalgisa.phone])).includes('marketing_consent_proofs')
  /** An order with a consent that was deleted. */
  const deletedOrder = async (bought: Record<string, unknown>) => {
    const { id } = await saveOrder(shop.payload, anOrder({ ...bought, consent }))
    await shop.payload.delete({ collection: 'orders', id })
    expect(await isProofKept()).toBe(true)
  }

  it('goes with the account that ordered, though nobody has verified an email', async () => {
    shop = await openErasureShop(anyKind, {}, { userAuth: true })
    const { id } = await shop.create('users', { email: adalgisa.email, password, _verified: null })
    await deletedOrder({ customer: id, customerEmail: null })
    await shop.remove(id)
    expect(await isProofKept()).toBe(false)
  })

  it('is found by the email when the order is deleted after the account', async () => {
    const settings = { accountDeletions: false }
    shop = await openErasureShop(anyKind, { marketing: { settings } })
    const { id } = await shop.create('users', { email: adalgisa.email, password })
    const bought = { customer: id, customerEmail: null, consent }
    const order = await saveOrder(shop.payload, anOrder(bought))
    await shop.remove(id)
    await shop.payload.delete({ collection: 'orders', id: order.id })
    expect(await isProofKept()).toBe(true)
    await shop.post('/marketing-erasures/erase', { email: adalgisa.email })
    expect(await isProofKept()).toBe(false)
  })

  it('stays when another person is erased whose email was typed on it', async () => {
    shop = await openErasureShop(anyKind)
    const { id } = await shop.create('users', { email: adalgisa.email, password })
    const other = await shop.create('users', { email: grace, password })
    await deletedOrder({ customer: other.id, customerEmail: adalgisa.email })
    await shop.remove(id)
    expect(await isProofKept()).toBe(true)
    await shop.remove(other.id)
    expect(await isProofKept()).toBe(false)
  })

  it("is not kept of an order that the store's own code deletes during the erasure", async () => {
    const ids: (number | string)[] = []
    shop = await openErasureShop(anyKind, {
      erasure: {
        onErase: async (_, { req }) => {
          await req.payload.delete({ collection: 'orders', where: { id: { in: ids } }, req })
        },
      },
    })
    const { id, order, guestOrder } = await shop.signUp()
    ids.push(order.id, guestOrder.id)
    await shop.remove(id)
    expect(await shop.payload.count({ collection: 'orders' })).toEqual({ totalDocs: 0 })
    expect(await isProofKept()).toBe(false)
  })
})

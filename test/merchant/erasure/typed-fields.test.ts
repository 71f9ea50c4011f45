import type { BasePayload } from 'payload'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'drizzle-orm'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { partsOf } from '../../support/parts.js'
import { catchUpFeeds } from '../../support/catch-up-feeds.js'
import { anAddress, anOrder } from '../../support/orders.js'
import { databaseKinds, openShapedStore, type TestStore } from '../../support/store.js'
import { formsOf, wholeDatabase } from '../../support/whole-database.js'
import { typedConfig } from './typed-config.js'

type Data = Record<string, unknown>

const word = 'Adalgisaquux'
const email = `${word}@example.com`

describe.each(databaseKinds)('What a person has typed (%s)', (kind) => {
  let store: TestStore
  let payload: BasePayload

  beforeAll(async () => {
    store = await openShapedStore(kind, typedConfig)
    payload = store.payload
  })
  afterAll(() => store.close())

  const typed = (invoiceNumber: string): Data => ({
    nickname: word,
    motto: word,
    aliases: [word, `${word} too`],
    contact: email,
    profile: { name: word },
    invoiceNumber,
    ledgerCode: `L-${invoiceNumber}`,
    gifts: {
      recipient: { greeting: word },
      people: [
        {
          who: word,
          said: word,
          wishes: [{ blockType: 'wish', words: word, hints: [{ hint: word }] }],
        },
      ],
    },
    stamps: [{ blockType: 'wish', seal: 'Crown' }],
    delivery: { firstName: word, addressLine1: word, country: 'GB', floor: 4711 },
  })
  const create = async (collection: string, data: Data) =>
    (await payload.create({ collection, data, depth: 0 })) as unknown as { id: number }
  const find = async (collection: string, id: number) =>
    (await payload.findByID({ collection, id, depth: 0 })) as unknown as Data
  const found = async (text = word) =>
    [...(await wholeDatabase({ payload }))].flatMap(([table, rows]) =>
      formsOf(text).some((form) => rows.includes(form)) ? [table] : [],
    )

  it('goes, also in the store’s own fields, and what is no text stays', async () => {
    const address = anAddress({ addressLine1: word, lastName: word, phone: word })
    const order = await create('orders', {
      ...anOrder({ customerEmail: email, shippingAddress: address, items: [] }),
      ...typed('I-1'),
      _status: 'published',
    })
    const second = { ...anOrder({ customerEmail: email, items: [] }), ...typed('I-2') }
    await create('orders', { ...second, _status: 'published' })
    for (const locale of ['de', 'en'] as const) {
      const data = { motto: `${word} ${locale}`, _status: 'published' }
      await payload.update({ collection: 'orders', id: order.id, locale, data })
    }
    const cart = await create('carts', {
      ...typed('C-1'),
      items: [],
      currency: 'USD',
      customerNotes: word,
      giftMessage: word,
    })
    const paidCart = await create('carts', { ...typed('C-2'), items: [], currency: 'USD' })
    const payment = await create('transactions', {
      ...typed('T-1'),
      cart: paidCart.id,
      customerEmail: email,
      currency: 'USD',
      amount: 100,
      paymentMethod: 'demo',
      status: 'pending',
      demo: { paymentID: 'pi_123', shippingAddress: { street: word }, remark: word },
    })
    // The checkout notes the address that a guest gave with the answer.
    await sqlDatabase(payload).run(sql`update carts set consent_email = ${email},
      consent_sms_phone = ${word} where id = ${cart.id}`)
    const versions = () =>
      payload.countVersions({ collection: 'orders', where: { parent: { equals: order.id } } })
    const before = await versions()
    expect((await found()).length).toBeGreaterThan(20)

    await partsOf(payload).erasures.erase(email, { orders: 'anonymise', door: 'command' })
    // The record names the person until Klaviyo has been asked.
    expect(await found()).toEqual(['marketing_erasures'])
    expect(await versions()).toEqual(before)
    expect(await find('orders', order.id)).toMatchObject({
      amount: 4250,
      nickname: null,
      profile: null,
      invoiceNumber: 'I-1',
      ledgerCode: 'L-I-1',
      delivery: { country: 'GB' },
      shippingAddress: { country: 'GB' },
      gifts: { people: [{ wishes: [{ blockType: 'wish' }] }] },
      stamps: [{ seal: 'Crown' }],
    })
    expect((await find('orders', order.id)).delivery).not.toMatchObject({ floor: 4711 })
    expect(await find('transactions', payment.id)).toMatchObject({
      amount: 100,
      paymentMethod: 'demo',
      demo: { paymentID: 'pi_123' },
      invoiceNumber: 'T-1',
      // A column without drafts must have a value.
      nickname: '',
      profile: {},
    })
  })

  it('goes from a guest’s cart that an account took over before this was left behind', async () => {
    const [word, email] = ['Brunhildeqwerz', 'brunhildeqwerz@example.com']
    const notes = { customerNotes: word, billingAddress: anAddress({ phone: word }) }
    const guests = { ...notes, contact: email, currency: 'USD', items: [] }
    const [taken, left] = [await create('carts', guests), await create('carts', guests)]
    const shopper = { email: 'bob@quux.example', password: 'correct horse battery' }
    const { id: customer } = await create('shoppers', shopper)
    for (const cart of [taken, left]) {
      await create('transactions', {
        ...{ cart: cart.id, customerEmail: email, paymentMethod: 'demo', status: 'pending' },
        ...{ currency: 'USD', amount: 100 },
      })
      // As `taken` was stored by an earlier version, and `left` is now.
      const sharedAt = cart === left ? new Date().toISOString() : null
      const data = { customer, secret: null, sharedAt }
      await payload.db.updateOne({ collection: 'carts', id: cart.id, data, returning: false })
    }
    const { number } = await find('carts', taken.id)
    const { erasures } = partsOf(payload)
    expect(await erasures.preview(email)).toMatchObject({ cartCount: 1, paymentCount: 2 })
    await erasures.erase(email, { orders: 'anonymise', door: 'command' })
    expect(await find('carts', taken.id)).toMatchObject({
      ...{ customer, number, currency: 'USD', customerNotes: null, contact: null },
      billingAddress: { phone: null },
    })
    // What somebody has typed since is theirs.
    expect(await find('carts', left.id)).toMatchObject({ customer, customerNotes: word })
  })

  /** A customer with an order that has an older version and a newer draft. */
  async function aCustomer(name: string) {
    const email = `${name}@quux.example`
    const street = `12 ${name} Square`
    const address = anAddress({ addressLine1: street, lastName: name, phone: name })
    const { id: customer } = await create('shoppers', { email, password: 'correct horse battery' })
    const { id } = await create('addresses', { ...address, customer })
    const collection = 'addresses'
    await payload.update({ collection, id, data: { company: street } })
    const own = { customer, customerEmail: email, customerNotes: street, shippingAddress: address }
    const order = await create('orders', {
      ...anOrder({ ...own, items: [] }),
      _status: 'published',
    })
    for (const draft of [false, true]) {
      const data = { internalNotes: `${street} ${draft}`, _status: draft ? 'draft' : 'published' }
      await payload.update({ collection: 'orders', id: order.id, data, draft })
    }
    return { ...order, email }
  }
  const versionsOf = async (id: number) => {
    const where = { parent: { equals: id } }
    return (await payload.findVersions({ collection: 'orders', where, sort: '-id' })).docs
  }
  const reported = async (email: string) => {
    await catchUpFeeds(payload)
    const where = { profile: { equals: `email:${email}` }, kind: { not_equals: 'erase' } }
    return (await payload.count({ collection: 'marketing-sends', where })).totalDocs
  }

  it('leaves nothing of the person in any version of an order with drafts, and every version there', async () => {
    const { id, email } = await aCustomer('ermintrude')
    const before = (await versionsOf(id)).length
    expect(before).toBeGreaterThan(2)
    await partsOf(payload).erasures.erase(email, { orders: 'anonymise', door: 'command' })
    // The shop has no key, and what is open is noted as done in a minute.
    expect(await found('ermintrude')).toEqual(['marketing_erasures'])
    expect(await versionsOf(id)).toHaveLength(before)
    // The list of the admin shows the newest version of each order.
    const listed = await payload.find({
      collection: 'orders',
      where: { id: { equals: id } },
      draft: true,
    })
    expect(listed.docs).toMatchObject([{ id, amount: 4250, shippingAddress: { country: 'GB' } }])
  })

  it('and who it was is not forgotten when a draft is published, or an older version restored', async () => {
    const { id, email } = await aCustomer('grimhild')
    await partsOf(payload).erasures.erase(email, { orders: 'keep', door: 'command' })
    await payload.update({ collection: 'orders', id, data: { _status: 'published' } })
    const [oldest] = (await versionsOf(id)).slice(-1)
    await payload.restoreVersion({ collection: 'orders', id: oldest?.id ?? '' })
    await payload.update({
      collection: 'orders',
      id,
      data: { status: 'completed', customerEmail: email, _status: 'published' },
    })
    expect(await reported(email)).toBe(0)
    const mark = sql`select person_erased as "mark" from orders where id = ${id}`
    const stored = await sqlDatabase(payload).rows(mark)
    expect(stored).toEqual([{ mark: 'kept' }])
  })
})

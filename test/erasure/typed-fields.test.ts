import type { BasePayload } from 'payload'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'drizzle-orm'
import { sqlDatabase } from '../../src/database/database.js'
import { partsOf } from '../../src/installation.js'
import { anAddress, anOrder } from '../support/orders.js'
import { databaseKinds, openShapedStore, type TestStore } from '../support/store.js'
import { formsOf, wholeDatabase } from '../support/whole-database.js'
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
    delivery: { firstName: word, addressLine1: word, country: 'GB', floor: 4711 },
  })
  const create = async (collection: string, data: Data) =>
    (await payload.create({ collection, data, depth: 0 })) as unknown as { id: number }
  const find = async (collection: string, id: number) =>
    (await payload.findByID({ collection, id, depth: 0 })) as unknown as Data
  const found = async () =>
    [...(await wholeDatabase({ payload }))].flatMap(([table, rows]) =>
      formsOf(word).some((form) => rows.includes(form)) ? [table] : [],
    )

  it('goes, also in the store’s own fields, and what is no text stays', async () => {
    const address = anAddress({ addressLine1: word, lastName: word, phone: word })
    const order = await create('orders', {
      ...anOrder({ customerEmail: email, shippingAddress: address, items: [] }),
      ...typed('I-1'),
    })
    const second = { ...anOrder({ customerEmail: email, items: [] }), ...typed('I-2') }
    await create('orders', second)
    for (const locale of ['de', 'en'] as const) {
      const data = { motto: `${word} ${locale}` }
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
      nickname: '',
      profile: {},
      invoiceNumber: 'I-1',
      ledgerCode: 'L-I-1',
      delivery: { country: 'GB' },
      shippingAddress: { country: 'GB' },
      gifts: { people: [{ wishes: [{ blockType: 'wish' }] }] },
    })
    expect((await find('orders', order.id)).delivery).not.toMatchObject({ floor: 4711 })
    expect(await find('transactions', payment.id)).toMatchObject({
      amount: 100,
      paymentMethod: 'demo',
      demo: { paymentID: 'pi_123' },
      invoiceNumber: 'T-1',
    })
  })
})

import type { Client, InStatement } from '@libsql/client'
import { de } from 'payload/i18n/de'
import { en } from 'payload/i18n/en'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  personAtKlaviyoPath,
  personPath,
  type Person,
  type PersonAnswer,
  type PersonAtKlaviyo,
  type PersonQuery,
} from '../../../src/merchant/people/person.js'
import { linkTo } from '../../carts/restore/restore-world.js'
import { eventShop } from '../../marketing/feeds/event-shop.js'
import { apiOf } from '../../support/api-of.js'
import { beforeStatements } from '../../support/before-statements.js'
import { shopOrigin } from '../../support/browser.js'
import { countStatements } from '../../support/count-statements.js'
import { anAddress, anOrder, saveOrder, saveOrders } from '../../support/orders.js'
import { createProduct } from '../../support/products.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { databaseKinds } from '../../support/store.js'

type Data = Record<string, unknown>

const ada = 'ada@example.com'
const phone = '+442079460000'

describe.each(databaseKinds)('The page of a person (%s)', (kind) => {
  const shop = eventShop(kind, {
    cleared: ['shipping-pulls', 'shipping-notices', 'carts', 'transactions', 'sites', 'users'],
    config: { i18n: { supportedLanguages: { en, de } } },
  })
  let ask: ReturnType<typeof apiOf>
  beforeEach(() => {
    ask = apiOf(shop)
  })

  const post = (path: string, query: object, headers = {}) =>
    ask(path, { as: 'admin', body: query, headers })
  const answerTo = async (by: PersonQuery['by'], value: unknown): Promise<PersonAnswer> => {
    const answer = await post(personPath, { by, value: String(value) })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    return (await answer.json()) as PersonAnswer
  }
  const personOf = async (by: PersonQuery['by'], value: unknown): Promise<Person> => {
    const answer = await answerTo(by, value)
    if (answer.is !== 'person') throw new Error('There are several.')
    return answer.person
  }
  const atKlaviyo = async (value: string) =>
    (await (await post(personAtKlaviyoPath, { by: 'text', value })).json()) as PersonAtKlaviyo
  const create = (collection: string, data: Data) =>
    shop.payload.create({ collection, data, depth: 0 })
  const aCustomer = (email: string, data: Data = {}) =>
    create('users', { email, password: 'a-password', roles: ['customer'], ...data })
  const proof = { given: true, wording: 'Yes, mail me', version: '1', page: '/checkout' }

  it('of a guest has the orders, the carts, the sends and the consents, by an email in any capitals', async () => {
    await create('sites', { handle: 'main', name: 'Tea', baseUrl: shopOrigin, cartUrl: '/cart' })
    const items = [{ product: await createProduct(shop.payload), quantity: 2 }]
    const cart = await create('carts', { items, currency: 'USD' })
    await create('transactions', {
      ...{ cart: cart.id, amount: 1000, currency: 'USD', paymentMethod: 'invoice' },
      ...{ status: 'failed', customerEmail: 'Ada@Example.com' },
    })
    const at = new Date(shop.now()).toISOString()
    const consent = { email: { ...proof, at } }
    const first = await saveOrder(
      shop.payload,
      anOrder({ customerEmail: 'Ada@Example.com', consent }),
    )
    shop.move(60_000)
    const second = await saveOrder(shop.payload, anOrder({ status: 'cancelled' }))
    await saveOrder(shop.payload, anOrder({ customerEmail: 'grace@example.com' }))
    const named = { order_number: first.reference, carrier: 'UPS', tracking_number: '1Z777' }
    await shop.reported()
    expect((await shop.handle(noticeRequest(named))).status).toBe(200)

    const person = await personOf('text', ' ADA@example.com ')
    expect(person).toMatchObject({ name: 'Ada Lovelace', emails: [ada], orderCount: 2 })
    expect(person.account).toBeUndefined()
    expect(person.orders).toMatchObject([
      { reference: second.reference, status: 'Cancelled', total: '42.50 USD', isErased: false },
      { reference: first.reference, status: 'Shipped', standing: { is: 'shipped', parcels: 1 } },
    ])
    const link = `${shopOrigin}${linkTo({ number: String(cart.number) })}`
    expect(person.carts).toEqual([
      { id: cart.id, changedAt: expect.any(String) as string, lines: 1, link },
    ])
    expect(person.proofs).toEqual([{ channel: 'email', ...proof, at, reference: first.reference }])
    expect(person.sends?.map(({ metric }) => metric)).toEqual(
      expect.arrayContaining(['Placed Order', 'Ordered Product', 'Started Checkout']),
    )
  })

  it('finds an order whose email is written as no keyboard does, by what was sent of it', async () => {
    const { reference } = await saveOrder(
      shop.payload,
      anOrder({ customerEmail: 'aDa+tEa@example.com' }),
    )
    await shop.reported()
    const { orders } = await personOf('text', 'ada+tea@example.com')
    expect(orders.map((order) => order.reference)).toEqual([reference])
  })

  it('is the same from the customer, an order and a send, and has no order of another account', async () => {
    const customer = await aCustomer(ada, { phone: '+44 20 7946 0000' })
    const another = await aCustomer('grace@example.com')
    await saveOrder(shop.payload, anOrder({ customer: another.id, customerEmail: ada }))
    const own = await saveOrder(
      shop.payload,
      anOrder({ customer: customer.id, customerEmail: null }),
    )
    const asGuest = await saveOrder(shop.payload, anOrder())
    await shop.payload.db.updateOne({
      collection: 'users',
      id: customer.id,
      data: { smsConsent: { status: 'unsubscribed', since: null, source: 'A reply' } },
    })
    await shop.reported()
    const person = await personOf('text', ada)
    expect(person).toMatchObject({
      account: { id: customer.id, path: `/collections/users/${customer.id}`, email: ada },
      phoneNumbers: [phone],
      consents: [{ channel: 'sms', status: 'unsubscribed', source: 'A reply' }],
    })
    expect(person.orders.map(({ id }) => id).toSorted()).toEqual([own.id, asGuest.id].toSorted())
    expect(await personOf('customer', customer.id)).toEqual(person)
    expect(await personOf('order', own.id)).toEqual(person)
    const [send] = person.sends ?? []
    expect(await personOf('send', send?.id)).toEqual(person)
  })

  it('is found by a phone number as it stands in an account, which several may have', async () => {
    const { id } = await aCustomer(ada, { phone: '020 7946 0000' })
    for (const typed of [phone, '+44 (0)20 7946 0000', '020 7946 0000']) {
      expect((await personOf('text', typed)).account?.id).toBe(id)
    }
    // Guests who share it have an email of their own.
    await saveOrder(shop.payload, anOrder({ customerEmail: 'guest@example.com' }))
    const guest = { email: 'guest@example.com', phoneNumber: phone }
    await shop.store({ kind: 'identify', profile: guest })
    const { orders, sends } = await personOf('text', phone)
    expect([orders, sends]).toEqual([[], []])
    const other = await aCustomer('grace@example.com', { phone })
    expect(await answerTo('text', '+44 20 7946 0000')).toEqual({
      is: 'several',
      accounts: [
        { id, path: `/collections/users/${id}`, email: ada, name: '' },
        {
          id: other.id,
          path: `/collections/users/${other.id}`,
          email: 'grace@example.com',
          name: '',
        },
      ],
    })
    await shop.store({ kind: 'identify', profile: { phoneNumber: '+442079460001' } })
    const unnamed = await personOf('text', '+442079460001')
    expect(unnamed).toMatchObject({ phoneNumbers: ['+442079460001'], emails: [], orders: [] })
    expect(unnamed.sends).toHaveLength(1)
  })

  it('says why a send failed, in the language of the reader', async () => {
    shop.standIn.faults.add({ kind: 'error', status: 400 })
    await shop.store({ kind: 'subscribe', profile: { email: ada }, list: '', channels: ['email'] })
    await shop.pass()
    const reasons = async (language: string) => {
      const query = { by: 'text', value: ada }
      const answer = await post(personPath, query, { 'accept-language': language })
      const { person } = (await answer.json()) as Extract<PersonAnswer, { is: 'person' }>
      return person.sends?.map(({ state, reason }) => [state, reason])
    }
    expect(await reasons('en')).toEqual([['failed', 'This is not the id of a list.']])
    expect(await reasons('de')).toEqual([['failed', 'Das ist keine ID einer Liste.']])
  })

  it('says whom Klaviyo suppresses and why, and whom it does not know', async () => {
    await shop.store({ kind: 'identify', profile: { email: ada } })
    await shop.pass()
    const [profile] = shop.standIn.state.profiles.values()
    shop.standIn.people.suppress(profile?.id ?? '', 'HARD_BOUNCE')
    const since = new Date(shop.now()).toISOString()
    expect(await atKlaviyo('ADA@example.com')).toEqual({
      is: 'known',
      profiles: [
        {
          id: profile?.id,
          address: ada,
          consents: [
            { channel: 'email', status: 'never' },
            { channel: 'sms', status: 'never' },
          ],
          suppressions: [{ reason: 'HARD_BOUNCE', since }],
        },
      ],
      unknownAddresses: [],
    })
    expect(await atKlaviyo('grace@example.com')).toEqual({
      is: 'known',
      profiles: [],
      unknownAddresses: ['grace@example.com'],
    })
    const nobodys = '+442079460009'
    expect(await atKlaviyo(nobodys)).toMatchObject({ profiles: [], unknownAddresses: [nobodys] })
  })

  it('says why Klaviyo could not be asked, and waits five seconds at most', async () => {
    const before = shop.now()
    shop.standIn.faults.add({ kind: 'hang' })
    const problem = 'Klaviyo did not answer in time. (TIMEOUT)'
    expect(await atKlaviyo(ada)).toEqual({ is: 'unknown', problem })
    expect(shop.now() - before).toBeLessThanOrEqual(5_000)
    await shop.save({ privateApiKey: '' })
    const calls = shop.standIn.state.calls.length
    expect(await atKlaviyo(ada)).toMatchObject({ is: 'unknown' })
    expect(shop.standIn.state.calls).toHaveLength(calls)
  })

  it('of an erased person has the orders that are kept, and nothing else', async () => {
    await saveOrder(shop.payload, anOrder())
    await shop.reported()
    expect((await post('/marketing-erasures/erase', { email: ada })).status).toBe(201)
    const person = await personOf('text', ada)
    expect(person.orders).toMatchObject([{ isErased: true }])
    expect(person.sends?.filter(({ kind: is }) => is !== 'erase')).toEqual([])
    expect(await personOf('text', 'nobody@example.com')).toMatchObject({
      ...{ orders: [], orderCount: 0, carts: [], sends: [], proofs: [] },
    })
  })

  it('has what was agreed to with an order that is deleted, by an account and by a guest', async () => {
    const { id: customer } = await aCustomer(ada)
    const consent = { email: { ...proof, at: new Date(shop.now()).toISOString() } }
    for (const whose of [{ customer, customerEmail: null }, {}]) {
      const { id, reference } = await saveOrder(shop.payload, anOrder({ ...whose, consent }))
      expect((await personOf('text', ada)).proofs).toMatchObject([{ reference }])
      await shop.payload.delete({ collection: 'orders', id })
      const { orders, proofs } = await personOf('text', ada)
      expect([orders, proofs]).toMatchObject([[], [{ reference, ...consent.email }]])
      await shop.payload.db.deleteMany({ collection: 'marketing-consent-proofs', where: {} })
    }
  })

  it('of a person whose account is deleted has its orders, from one of them too', async () => {
    const { id } = await aCustomer(ada)
    const order = await saveOrder(
      shop.payload,
      anOrder({ customer: id, customerEmail: null, shippingAddress: anAddress() }),
    )
    await shop.payload.delete({ collection: 'users', id })
    for (const [by, value] of [
      ['text', ada],
      ['order', order.id],
    ] as const) {
      const { orders, account } = await personOf(by, value)
      expect(account).toBeUndefined()
      expect(orders.map(({ reference }) => reference)).toEqual([order.reference])
    }
  })

  it('needs the same statements for one order as for many, and finds all by indexes', async () => {
    const read = () => shop.parts.people.read({ by: 'text', value: ada }, reader)
    const reader = { translate: (key: string) => key, statusName: (status: string) => status }
    const { id } = await aCustomer(ada)
    const mine = () => anOrder({ customer: id, customerEmail: null })
    await saveOrder(shop.payload, mine())
    await shop.handle(exportRequest())
    await read()
    const countRead = async () => {
      const counted = countStatements(shop.payload.db)
      await read()
      const count = counted.statements()
      counted.end()
      return count
    }
    const one = await countRead()
    expect(one).toBeGreaterThan(4)
    expect(one).toBeLessThanOrEqual(8)
    await saveOrders(shop.payload, Array.from({ length: 25 }, mine))
    expect(await countRead()).toBe(one)
    const answer = await answerTo('text', ada)
    expect(answer).toMatchObject({ person: { orderCount: 26 } })
    expect(answer.is === 'person' && answer.person.orders).toHaveLength(20)

    if (kind !== 'sqlite') return
    const plans = async (reading: () => Promise<unknown>) => {
      const seen: { sql: string }[] = []
      const end = beforeStatements(shop.payload, (statement) => {
        const { sql = '' } = statement as { sql?: string }
        if (sql.startsWith('select')) seen.push({ ...(statement as object), sql })
      })
      await reading()
      end()
      const { client } = shop.payload.db as unknown as { client: Client }
      const asked = seen.map(
        (each) => ({ ...each, sql: `explain query plan ${each.sql}` }) as InStatement,
      )
      const steps = await Promise.all(asked.map(async (each) => (await client.execute(each)).rows))
      return steps.flat().map(({ detail }) => String(detail))
    }
    const scan = /^SCAN (orders|carts|transactions|users|s|marketing_\w+)\b/
    expect((await plans(read)).filter((step) => scan.test(step))).toEqual([])
    // Nearly all that guests bought may have no customer, so that index finds nothing.
    const ofGuest = await plans(() => answerTo('text', 'guest@example.com'))
    expect(ofGuest.length).toBeGreaterThan(4)
    expect(
      ofGuest.filter((step) => scan.test(step) || /(?:orders|carts)_customer_idx /.test(step)),
    ).toEqual([])
  })

  it('is for admins alone, and refuses what names nobody', async () => {
    await saveOrder(shop.payload, anOrder())
    for (const path of [personPath, personAtKlaviyoPath]) {
      for (const as of [undefined, 'customer', 'editor'] as const) {
        expect((await ask(path, { as, body: { by: 'text', value: ada } })).status).toBe(403)
      }
      for (const query of [
        { by: 'text', value: 'no-email' },
        { by: 'text', value: '12' },
        { by: 'text', value: `${'a'.repeat(300)}@example.com` },
        { by: 'nothing', value: ada },
        {},
      ]) {
        const answer = await post(path, query)
        expect(answer.status).toBe(400)
        expect(answer.headers.get('x-error-code')).toBe('PERSON_INVALID')
      }
      for (const by of ['order', 'customer', 'send']) {
        for (const value of ['0', 'none', '2147483648']) {
          expect((await post(path, { by, value })).status).toBe(404)
        }
      }
      const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
      const answer = await post(path, { by: 'text', value: ada }, foreign)
      expect(answer.headers.get('x-error-code')).toBe('ORIGIN_FOREIGN')
    }
  })
})

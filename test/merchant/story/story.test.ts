import { beforeEach, describe, expect, it } from 'vitest'
import type { Story, StoryEntry } from '../../../src/merchant/story/story-entry.js'
import { adalgisa, grace, openErasureShop } from '../erasure/erasure-shop.js'
import { eventShop } from '../../marketing/feeds/event-shop.js'
import { shipNotice } from '../../shipping/notice/ship-notice-document.js'
import { linkTo } from '../../carts/restore/restore-world.js'
import { apiOf, type Role } from '../../support/api-of.js'
import { shopOrigin } from '../../support/browser.js'
import { countStatements } from '../../support/count-statements.js'
import { aLine, anAddress, anOrder, saveOrder, type SavedOrder } from '../../support/orders.js'
import { partsOf } from '../../support/parts.js'
import { createProduct } from '../../support/products.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import { databaseKinds } from '../../support/store.js'

const minute = 60_000

/** The moments go: they are those of the simulated clock. */
const withoutMoments = (entries: readonly StoryEntry[]): Record<string, unknown>[] =>
  entries.map((entry) =>
    Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'at')),
  )

const isOfSend = ({ is }: Record<string, unknown>) =>
  is === 'accepted' || is === 'attempt' || is === 'waits'

const sendsIn = ({ entries }: Story) => [
  ...new Set(entries.flatMap((entry) => ('send' in entry ? [entry.send.id] : []))),
]

const isNewestFirst = ({ entries }: Story) => {
  const moments = entries.flatMap(({ at }) => (at === null ? [] : [Date.parse(at)]))
  return moments.every((at, index) => index === 0 || at <= (moments[index - 1] ?? 0))
}

describe.each(databaseKinds)('A story (%s)', (kind) => {
  const shop = eventShop(kind, {
    cleared: ['shipping-pulls', 'shipping-notices'],
    userAuth: { verify: true },
  })
  const ask = (path: string, as?: Role) => apiOf(shop)(`/storeconnect${path}`, { as })
  const storyOf = async (path: string): Promise<Story> => {
    const answer = await ask(`/story/${path}`, 'admin')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    return (await answer.json()) as Story
  }
  const move = () => shop.move(minute)
  let order: SavedOrder
  /** Another person's, with a parcel of its own. */
  let other: SavedOrder

  beforeEach(async () => {
    order = await saveOrder(shop.payload, anOrder({ items: [aLine(), aLine({ sku: 'CUP-1' })] }))
    other = await saveOrder(shop.payload, anOrder({ customerEmail: grace }))
    move()
    const parcel = { order_number: other.reference, tracking_number: '1Z999' }
    expect((await shop.handle(noticeRequest(parcel))).status).toBe(200)
    move()
  })

  const aCustomer = async (email: string) => {
    const data = { email, password: 'a-password', roles: ['customer'], _verified: true }
    return shop.payload.create({ collection: 'users', data, disableVerificationEmail: true })
  }

  it('of an order has each pull, notice, change of status and attempt, the newest first', async () => {
    await shop.reported()
    await shop.pass()
    move()
    await shop.handle(exportRequest())
    move()
    const body = shipNotice({}, [{ SKU: 'TEA-1', Quantity: '1' }])
    const notify = () => shop.handle(noticeRequest({ order_number: order.reference }, { body }))
    for (let time = 0; time < 2; time += 1) expect((await notify()).status).toBe(200)
    move()
    const cancelled = await apiOf(shop)(`/orders/${order.id}`, {
      as: 'admin',
      method: 'PATCH',
      body: { status: 'cancelled' },
    })
    expect(cancelled.status).toBe(200)
    shop.standIn.faults.add({ kind: 'error', status: 400 })
    await shop.reported()
    await shop.pass()

    const story = await storyOf(`orders/${order.id}`)
    expect(isNewestFirst(story)).toBe(true)
    expect(story).toMatchObject({
      reference: order.reference,
      statuses: { shipped: expect.any(String) as string },
    })
    const entries = withoutMoments(story.entries)
    const send = (metric: string) => ({
      id: expect.any(Number) as number,
      kind: 'event',
      metric,
    })
    for (const metric of ['Placed Order', 'Ordered Product']) {
      expect(entries).toContainEqual({ is: 'accepted', send: send(metric) })
      expect(entries).toContainEqual({
        is: 'attempt',
        send: send(metric),
        canResend: false,
        attempt: expect.objectContaining({ meant: 'delivered', status: 202 }) as unknown,
      })
    }
    expect(entries).toContainEqual({
      is: 'attempt',
      send: send('Cancelled Order'),
      canResend: true,
      attempt: expect.objectContaining({ meant: 'refused', status: 400 }) as unknown,
    })
    expect(entries.filter((entry) => !isOfSend(entry))).toEqual([
      { is: 'status', status: 'cancelled', by: 'admin', admin: 'admin@example.com' },
      { is: 'status', status: 'shipped', by: 'shipment' },
      {
        is: 'notice',
        notice: expect.any(Number) as number,
        carrier: 'USPS',
        service: 'Priority Mail',
        trackingNumber: '9400111206213835724410',
        from: 'processing',
        to: 'shipped',
        itemsLeft: 3,
        repeats: 1,
        recipient: 'Ada Lovelace',
      },
      {
        is: 'pull',
        pull: expect.any(Number) as number,
        page: 1,
        pages: 1,
        isAnswered: true,
      },
      { is: 'placed', status: 'processing' },
    ])
    const another = await storyOf(`orders/${other.id}`)
    expect(withoutMoments(another.entries).filter((entry) => !isOfSend(entry))).toEqual([
      { is: 'pull', pull: expect.any(Number) as number, page: 1, pages: 1, isAnswered: true },
      { is: 'status', status: 'shipped', by: 'shipment' },
      expect.objectContaining({ is: 'notice', trackingNumber: '1Z999' }),
      { is: 'placed', status: 'processing' },
    ])
    expect(sendsIn(another)).not.toEqual([])
    expect(sendsIn(story).filter((id) => sendsIn(another).includes(id))).toEqual([])
  })

  it('of an order says why ShipStation did not get it', async () => {
    const { id } = await saveOrder(
      shop.payload,
      anOrder({ shippingAddress: anAddress({ city: '' }) }),
    )
    await shop.handle(exportRequest())
    const { entries } = await storyOf(`orders/${id}`)
    expect(withoutMoments(entries)).toContainEqual({
      is: 'skipped',
      reasons: 'Its shipping address has no city.',
    })
    for (const { id: exported } of [order, other]) {
      const told = (await storyOf(`orders/${exported}`)).entries.map(({ is }) => is)
      expect(told).toContain('pull')
      expect(told).not.toContain('skipped')
    }
  })

  it('of an order says why what was not sent waits, and each send finds its order', async () => {
    await shop.save({ privateApiKey: '' })
    const [first] = await shop.reported()
    const { entries } = await storyOf(`orders/${order.id}`)
    expect(entries.filter(({ is }) => is === 'waits')).toContainEqual({
      is: 'waits',
      at: null,
      send: { id: first?.id, kind: 'event', metric: 'Placed Order' },
      wait: { for: 'key', problem: 'missing' },
    })
    const { stories } = partsOf(shop.payload)
    const named = { id: order.id, reference: order.reference }
    expect(await stories.orderNamed(first?.key.split(':')[1] ?? '')).toEqual(named)
    expect(await stories.orderNamed(String(order.id))).toEqual(named)
    for (const unknown of ['', '0', 'nothing', "'", '9'.repeat(40)])
      expect(await stories.orderNamed(unknown)).toBeUndefined()
  })

  it('of an order says first how it stands at ShipStation', async () => {
    const address = anAddress({ city: '' })
    const incomplete = await saveOrder(shop.payload, anOrder({ shippingAddress: address }))
    const cancelled = await saveOrder(shop.payload, anOrder({ status: 'cancelled' }))
    const standing = async ({ id }: SavedOrder) => (await storyOf(`orders/${id}`)).standing
    expect(await standing(order)).toEqual({ is: 'waits' })
    expect(await standing(cancelled)).toBeUndefined()
    const at = new Date(shop.now()).toISOString()
    await shop.handle(exportRequest())
    expect(await standing(order)).toEqual({ is: 'pulled', at })
    const reasons = 'Its shipping address has no city.'
    expect(await standing(incomplete)).toEqual({ is: 'skipped', reasons })

    const tracking = [{ carrier: 'A courier', service: '', trackingNumber: 'BY-HAND' }]
    await shop.payload.update({ collection: 'orders', id: order.id, data: { tracking } })
    const byHand = { carrier: 'A courier', trackingNumber: 'BY-HAND', parcels: 1 }
    expect(await standing(order)).toEqual({ is: 'shipped', ...byHand })

    const parcel = { carrier: 'UPS', trackingNumber: '1Z777', parcels: 2 }
    const named = { order_number: other.reference, carrier: 'UPS', tracking_number: '1Z777' }
    expect((await shop.handle(noticeRequest(named))).status).toBe(200)
    const url = 'https://www.ups.com/track?tracknum=1Z777'
    expect(await standing(other)).toEqual({ is: 'shipped', ...parcel, url })
  })

  it('of an order says when the link in a mail put its cart back, the first time', async () => {
    const create = (collection: string, data: Record<string, unknown>) =>
      shop.payload.create({ collection, data, depth: 0 })
    const named = { handle: 'main', name: 'Tea', baseUrl: shopOrigin, cartUrl: '/cart' }
    await create('sites', named)
    const items = [{ product: await createProduct(shop.payload), quantity: 2 }]
    const cart = await create('carts', { items, currency: 'USD' })
    const opened = new Date(shop.now()).toISOString()
    for (let time = 0; time < 2; time += 1) {
      const answer = await shop.aBrowser().get(linkTo({ number: String(cart.number) }))
      expect(answer.headers.get('location')).toBe(`${shopOrigin}/cart`)
      move()
    }
    const { id: paid } = await create('transactions', {
      ...{ cart: cart.id, amount: 1000, currency: 'USD', paymentMethod: 'invoice' },
      status: 'processing',
    })
    const { id } = await saveOrder(shop.payload, anOrder({ transactions: [paid] }))
    const { entries } = await storyOf(`orders/${id}`)
    expect(entries).toContainEqual({ is: 'restored', at: opened })
    expect((await storyOf(`orders/${order.id}`)).entries.map(({ is }) => is)).toEqual(['placed'])
  })

  it('of a customer has the orders, what they agreed to, and the sends', async () => {
    const customer = await aCustomer('kim@example.com')
    const another = await aCustomer(grace)
    const typed = { customer: another.id, customerEmail: 'kim@example.com' }
    await saveOrder(shop.payload, anOrder(typed))
    const proof = { given: true, wording: 'Yes, mail me', version: '1', page: '/checkout' }
    const { id, reference } = await saveOrder(
      shop.payload,
      anOrder({
        customer: customer.id,
        customerEmail: null,
        consent: { email: { ...proof, at: new Date(shop.now()).toISOString() } },
      }),
    )
    await shop.payload.db.updateOne({
      collection: 'users',
      id: customer.id,
      data: { smsConsent: { status: 'unsubscribed', since: null, source: 'A reply' } },
    })
    await shop.reported()
    const story = await storyOf(`customers/${customer.id}`)
    expect(isNewestFirst(story)).toBe(true)
    const entries = withoutMoments(story.entries)
    const known = entries.filter((entry) => !isOfSend(entry))
    const order = { id, reference, slug: 'orders' }
    expect(known).toHaveLength(4)
    expect(known).toEqual(
      expect.arrayContaining([
        { is: 'account' },
        { is: 'placed', status: 'processing', order },
        { is: 'consent', channel: 'email', ...proof, reference },
        { is: 'consentStatus', channel: 'sms', status: 'unsubscribed', source: 'A reply' },
      ]),
    )
    expect(entries).toContainEqual(
      expect.objectContaining({
        is: 'accepted',
        send: expect.objectContaining({ metric: 'Placed Order' }) as unknown,
      }),
    )
    const others = await storyOf(`customers/${another.id}`)
    expect(others.entries.filter(({ is }) => is === 'placed')).toHaveLength(1)
    expect(sendsIn(others)).not.toEqual([])
    expect(sendsIn(story).filter((each) => sendsIn(others).includes(each))).toEqual([])
  })

  it('of an order and of a customer has the payments', async () => {
    const { id: customer } = await aCustomer('pay@example.com')
    const begin = (data: Record<string, unknown>) =>
      shop.payload.create({
        collection: 'transactions',
        data: { amount: 1250, currency: 'USD', customer, ...data },
      })
    const paid = await begin({ status: 'succeeded' })
    const { id } = await saveOrder(shop.payload, anOrder({ transactions: [paid.id], customer }))
    const failed = await begin({ status: 'failed', order: id })
    const left = await begin({ status: 'expired' })
    const entry = (payment: { id: unknown }, status: string) => ({
      is: 'payment',
      payment: { id: payment.id, slug: 'transactions' },
      amount: '12.50 USD',
      status,
    })
    const paymentsIn = ({ entries }: Story) =>
      withoutMoments(entries).filter(({ is }) => is === 'payment')
    const ofOrder = [entry(failed, 'failed'), entry(paid, 'succeeded')]
    const story = await storyOf(`orders/${id}`)
    expect(paymentsIn(story)).toEqual(ofOrder)
    expect(story.statuses).toMatchObject({ succeeded: 'Succeeded', failed: 'Failed' })
    const ofCustomer = await storyOf(`customers/${customer}`)
    expect(paymentsIn(ofCustomer)).toEqual([entry(left, 'expired'), ...ofOrder])
  })

  it('of a customer has what was sent under each email of theirs, and nothing of who has it too', async () => {
    const [first, second] = ['lee@example.com', 'lee.new@example.com']
    const { id } = await aCustomer(first)
    const buy = () => saveOrder(shop.payload, anOrder({ customer: id, customerEmail: null }))
    const browser = shop.aBrowser()
    const act = async (email: string) => {
      await buy()
      await browser.post('users/login', { email, password: 'a-password' }, { ajax: true })
      await browser.track({ 'event[name]': `As ${email}` })
      await shop.reported()
    }
    await shop.loseSends()
    await act(first)
    await shop.update('users', id, { email: second })
    await act(second)
    const own = (await shop.sends()).map((send) => send.id)
    for (const email of [first, second]) {
      await saveOrder(shop.payload, anOrder({ customerEmail: email }))
      await shop.aBrowser().track({ email, 'event[name]': 'Of a guest' })
    }
    const all = (await shop.reported()).map((send) => send.id)
    expect(all.length).toBeGreaterThan(own.length + 3)
    const told = sendsIn(await storyOf(`customers/${id}`))
    expect(told.toSorted()).toEqual(own.toSorted())
  })

  it('of a customer has what was stored before sends noted their account', async () => {
    const email = 'max@example.com'
    const { id } = await aCustomer(email)
    await shop.loseSends()
    const profiles = [{ email, externalId: String(id) }, { email }, { email: grace }]
    await shop.store(...profiles.map((profile) => ({ kind: 'identify', profile }) as const))
    const own = (await shop.sends()).filter(({ message }) => 'externalId' in message.profile)
    expect(own).toHaveLength(1)
    expect(sendsIn(await storyOf(`customers/${id}`))).toEqual(own.map((send) => send.id))
  })

  it('needs seven statements at most', async () => {
    const { id } = order
    await apiOf(shop)(`/orders/${id}`, {
      as: 'admin',
      method: 'PATCH',
      body: { status: 'shipped' },
    })
    const { stories } = shop.parts
    const reads: (() => Promise<unknown>)[] = [
      () => stories.ofOrder(id, (key) => key),
      () => stories.ofCustomer(1),
    ]
    for (const read of reads) {
      const counted = countStatements(shop.payload.db)
      await read()
      expect(counted.statements()).toBeGreaterThan(0)
      expect(counted.statements()).toBeLessThanOrEqual(7)
      counted.end()
    }
  })

  it('and the XML are for admins alone', async () => {
    const reference = new URLSearchParams({ reference: order.reference }).toString()
    const paths = [`/story/orders/${order.id}`, '/story/customers/1', `/order-xml?${reference}`]
    for (const path of paths) {
      for (const as of [undefined, 'customer', 'editor'] as const) {
        const answer = await ask(path, as)
        expect(answer.status).toBe(403)
        expect(await answer.text()).not.toContain(order.reference)
      }
    }
    const xml = await ask(`/order-xml?${reference}`, 'admin')
    expect(xml.headers.get('content-type')).toBe('text/xml; charset=utf-8')
    expect(await xml.text()).toContain(`<OrderNumber>${order.reference}</OrderNumber>`)
    for (const path of ['/story/orders/0', '/story/orders/none', '/story/carts/1']) {
      expect((await ask(path, 'admin')).status).toBe(404)
    }
  })
})

describe.each(databaseKinds)('The story of an order whose person was erased (%s)', (kind) => {
  it('has nothing of the person', async () => {
    const shop = await openErasureShop(kind, { erasure: { orders: 'anonymise' } })
    try {
      const { order } = await shop.signUp()
      const other = await saveOrder(shop.payload, anOrder({ customerEmail: grace }))
      await shop.handle(noticeRequest({ order_number: other.reference, tracking_number: '1Z999' }))
      await shop.round()
      const others = async () =>
        (await (await shop.get(`/storeconnect/story/orders/${other.id}`)).json()) as Story
      const before = await others()
      expect(before.entries.map(({ is }) => is)).toEqual(
        expect.arrayContaining(['notice', 'status', 'placed', 'accepted']),
      )
      const path = `/storeconnect/story/orders/${order.id}`
      const names = Object.values(adalgisa)
      const isNamed = async () => {
        const text = await (await shop.get(path)).text()
        return names.some((name) => text.includes(name))
      }
      expect(await isNamed()).toBe(true)
      await shop.post('/marketing-erasures/erase', { email: adalgisa.email, orders: 'anonymise' })
      expect(await isNamed()).toBe(false)
      const { entries } = (await (await shop.get(path)).json()) as Story
      expect(entries[0]).toEqual({ is: 'erased', at: null, orders: 'anonymised' })
      expect(await others()).toEqual(before)
      await shop.finish()
      expect(await isNamed()).toBe(false)
    } finally {
      await shop.close()
    }
  })
})

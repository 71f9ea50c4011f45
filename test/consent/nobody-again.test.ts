import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databaseKinds } from '../support/store.js'
import { openVisitorBrowser } from '../support/visitor-browser.js'
import { openConsentShop, type ConsentShop } from './consent-shop.js'

let lastPerson = 0

const anyOrder = {
  'event[name]': 'Asked about the order',
  'event[trackOrder]': '1',
  'event[orderNumber]': 'f'.repeat(32),
}

const patient = { timeout: 240_000 }

describe.each(databaseKinds)('Nobody who left is subscribed again on %s', patient, (kind) => {
  let shop: ConsentShop
  let email: string
  let before: number

  beforeAll(async () => {
    shop = await openConsentShop(kind, { marketing: { settings: { consentList: 'WELCOME' } } })
  })
  afterAll(() => shop.close())
  beforeEach(() => {
    email = `person${++lastPerson}@example.com`
    before = shop.klaviyo.standIn.state.calls.length
  })

  /** A visitor posts, and everything is delivered. */
  async function post(
    action: 'identify' | 'track',
    fields: Record<string, string>,
    isDelivered = true,
  ) {
    const path = `/actions/marketingconnect/api/${action}`
    const browser = openVisitorBrowser(shop.handle)
    const answer = await browser.post(path, { email, ...fields }, { ajax: true })
    expect(await answer.json()).toBe('success')
    if (isDelivered) await shop.deliver()
  }
  const callsOf = (name: string) =>
    shop.klaviyo.standIn.state.calls.slice(before).filter((call) => call.name === name).length
  const sendsOf = async () => {
    const { docs } = await shop.payload.find({
      collection: 'marketing-sends',
      where: { profile: { equals: `email:${email}` } },
      sort: 'id',
      pagination: false,
    })
    return (docs as unknown as { kind: string; state: string; error?: { code?: string } }[])
      .filter(({ kind: of }) => of === 'subscribe' || of === 'unsubscribe')
      .map(({ kind: of, state, error }) => [of, state, error?.code ?? null])
  }
  const isSubscribed = () =>
    shop.klaviyo.standIn.state.profileByEmail(email)?.consent.email?.status === 'SUBSCRIBED'
  const leave = async () => {
    shop.klaviyo.standIn.people.suppress(await shop.person({ email }), 'UNSUBSCRIBE')
  }

  it('by subscribe=1 on an order', async () => {
    await leave()
    await post('track', { list: 'VIPLIST', subscribe: '1', ...anyOrder })
    expect(callsOf('subscribe')).toBe(0)
    expect(await sendsOf()).toEqual([['subscribe', 'skipped', 'PERSON_HAS_LEFT']])
  })

  it('but whoever did not leave is, along with an order', async () => {
    await post('track', { list: 'VIPLIST', subscribe: '1', ...anyOrder })
    expect(callsOf('subscribe')).toBe(1)
    expect(await sendsOf()).toEqual([['subscribe', 'sent', null]])
  })

  it('by a list add, which gives no consent', async () => {
    await leave()
    await post('track', { list: 'VIPLIST' })
    expect(isSubscribed()).toBe(false)
    expect(callsOf('subscribe')).toBe(0)
  })

  it('until they post a form for it', async () => {
    await leave()
    await post('track', { list: 'VIPLIST', subscribe: '1' })
    expect(isSubscribed()).toBe(true)
    expect(await sendsOf()).toEqual([['subscribe', 'sent', null]])
  })

  it('by a form from before they left, however late it is sent', async () => {
    await post('track', { list: 'VIPLIST', subscribe: '1' }, false)
    await leave()
    await shop.deliver()
    expect(callsOf('subscribe')).toBe(0)
    expect(await sendsOf()).toEqual([['subscribe', 'skipped', 'PERSON_HAS_LEFT']])
  })

  it('by an order right after subscribe=0, before Klaviyo has worked that off', async () => {
    await post('track', { list: 'VIPLIST', subscribe: '1' })
    await post('identify', { subscribe: '0' }, false)
    await post('track', { list: 'VIPLIST', subscribe: '1', ...anyOrder }, false)
    await shop.deliver()
    expect(isSubscribed()).toBe(false)
    expect(await sendsOf()).toEqual([
      ['subscribe', 'sent', null],
      ['unsubscribe', 'sent', null],
      ['subscribe', 'skipped', 'PERSON_HAS_LEFT'],
    ])
  })

  it('and whoever leaves and comes back within a minute is', async () => {
    await post('track', { list: 'VIPLIST', subscribe: '1' })
    await post('identify', { subscribe: '0' })
    expect(isSubscribed()).toBe(false)
    await post('identify', { subscribe: '1' })
    expect(isSubscribed()).toBe(true)
    expect(callsOf('unsubscribe')).toBe(1)
  })

  it('and a repeated form subscribes once in 24 hours', async () => {
    await post('track', { list: 'VIPLIST', subscribe: '1' })
    await post('track', { list: 'VIPLIST', subscribe: '1' })
    expect(callsOf('subscribe')).toBe(1)
    expect(await sendsOf()).toEqual([
      ['subscribe', 'sent', null],
      ['subscribe', 'skipped', 'ALREADY_SUBSCRIBED'],
    ])
  })

  it("whose customer's document says so, even when Klaviyo has forgotten the profile", async () => {
    const { id } = await shop.payload.create({
      collection: 'users',
      data: { email, password: 'secret', roles: ['customer'] },
    })
    const data = { emailConsent: { status: 'unsubscribed', since: new Date().toISOString() } }
    await shop.payload.db.updateOne({ collection: 'users', id, data })
    await post('track', { list: 'VIPLIST', subscribe: '1', ...anyOrder })
    expect(await sendsOf()).toEqual([['subscribe', 'skipped', 'PERSON_HAS_LEFT']])
  })
})

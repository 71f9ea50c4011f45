import { describe, expect, it } from 'vitest'
import type { SubscribeMessage } from '../../../src/marketing/klaviyo/message.js'
import { anyKind } from '../../support/store.js'
import { aCustomer, aPerson, consentStore, leave, minute } from './consent-shop.js'

const anyOrder = {
  'event[name]': 'Asked about the order',
  'event[trackOrder]': '1',
  'event[orderNumber]': 'f'.repeat(32),
}

describe('Nobody who left is subscribed again', () => {
  const shop = consentStore(anyKind, { settings: { consentList: 'WELCOME' } })
  const email = 'ada@example.com'
  const subscribing = { list: 'VIPLIST', subscribe: '1' }

  /** A visitor posts, and everything is delivered. */
  async function post(
    action: 'identify' | 'track',
    fields: Record<string, string>,
    { browser = shop.aBrowser(), isDelivered = true } = {},
  ) {
    const path = `/actions/marketingconnect/api/${action}`
    const answer = await browser.post(path, { email, ...fields }, { ajax: true })
    expect(await answer.json()).toBe('success')
    if (isDelivered) await shop.deliver()
  }
  const callsOf = (name: string) =>
    shop.standIn.state.calls.filter((call) => call.name === name).length
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
    shop.standIn.state.profileByEmail(email)?.consent.email?.status === 'SUBSCRIBED'
  const subscribed = ['subscribe', 'sent', null]
  const skipped = ['subscribe', 'skipped', 'PERSON_HAS_LEFT']
  const unsubscribed = ['unsubscribe', 'sent', null]
  const phoneNumber = '+447400123456'
  const leaves = async () => {
    await leave(shop, email)
    // A form counts from the next millisecond on.
    shop.move(1)
  }

  it('by subscribe=1 on an order, and the form after such an order is no repeat of it', async () => {
    await leaves()
    await post('track', { ...subscribing, ...anyOrder })
    expect(callsOf('subscribe')).toBe(0)
    expect(await sendsOf()).toEqual([skipped])
    // Nor by a list add, which gives no consent.
    await post('track', { list: 'VIPLIST' })
    expect(callsOf('subscribe')).toBe(0)
    expect(isSubscribed()).toBe(false)
    await post('track', subscribing)
    expect(isSubscribed()).toBe(true)
    expect(await sendsOf()).toEqual([skipped, subscribed])
  })

  it('but whoever did not leave is, along with an order', async () => {
    await post('track', { ...subscribing, ...anyOrder })
    expect(callsOf('subscribe')).toBe(1)
    expect(await sendsOf()).toEqual([subscribed])
  })

  it('to email by a form for texts alone', async () => {
    await leaves()
    const suppressions = () => shop.standIn.state.profileByEmail(email)?.suppressions
    expect(suppressions()).toHaveLength(1)
    const phone = phoneNumber
    await aPerson(shop, { email, phoneNumber: phone })
    await post('track', { email: '', 'profile[phone_number]': phone, ...subscribing })
    expect(suppressions()).toHaveLength(1)
    expect(callsOf('subscribe')).toBe(0)
  })

  it('to texts by an order, when a form with the phone number alone has ended them', async () => {
    const texts = { 'profile[phone_number]': phoneNumber }
    const waits = { isDelivered: false }
    await post('identify', { ...texts, email: '', subscribe: '0' }, waits)
    await post('track', { ...texts, ...subscribing, ...anyOrder })
    const { consent } = shop.standIn.state.profileByEmail(email) ?? {}
    expect(consent?.email?.status).toBe('SUBSCRIBED')
    expect(consent?.sms?.status).not.toBe('SUBSCRIBED')
  })

  it('to texts by an order, when a form with an email has ended them, which still waits', async () => {
    const texts = { 'profile[phone_number]': phoneNumber }
    shop.standIn.faults.add({ kind: 'error', calls: ['unsubscribe'], times: 1 })
    await post('identify', { ...texts, subscribe: '0' }, { isDelivered: false })
    await post('track', { ...texts, email: '', ...subscribing, ...anyOrder })
    expect(callsOf('subscribe')).toBe(0)
  })

  it('until they post a form for it, though the clock that noted their leaving was ahead', async () => {
    const ahead = await shop.join({ effects: { now: () => new Date(shop.now() + 60 * minute) } })
    await post('identify', { subscribe: '0' }, { browser: ahead.aBrowser(), isDelivered: false })
    await post('track', subscribing)
    expect(isSubscribed()).toBe(true)
  })

  it('by a form from before they left, however late it is sent', async () => {
    await post('track', subscribing, { isDelivered: false })
    await leaves()
    await shop.deliver()
    expect(callsOf('subscribe')).toBe(0)
    expect(await sendsOf()).toEqual([skipped])
  })

  it.each(['USER_SUPPRESSED', 'SPAM_COMPLAINT'] as const)(
    'by a form from before Klaviyo suppressed them with %s, minutes after our own call',
    async (reason) => {
      const { standIn } = shop
      const suppressions = () => standIn.state.profileByEmail(email)?.suppressions ?? []
      await post('identify', { subscribe: '0' })
      await post('identify', { subscribe: '1' }, { isDelivered: false })
      standIn.people.suppress(await aPerson(shop, { email }), reason)
      await shop.deliver()
      expect(callsOf('subscribe')).toBe(0)
      expect(suppressions().map((each) => each.reason)).toContain(reason)
      expect(await sendsOf()).toEqual([unsubscribed, skipped])
    },
  )

  it('by a form from before they were suppressed, whatever Klaviyo noted of our call since', async () => {
    const { standIn } = shop
    await aPerson(shop, { email })
    await post('identify', { subscribe: '0' }, { isDelivered: false })
    await post('identify', { subscribe: '1' }, { isDelivered: false })
    standIn.people.suppress(await aPerson(shop, { email }), 'USER_SUPPRESSED')
    // The call that Klaviyo works off after the suppression is of the form before it.
    await shop.deliver()
    const reasons = standIn.state.profileByEmail(email)?.suppressions.map(({ reason }) => reason)
    expect(reasons).toEqual(['USER_SUPPRESSED', 'UNSUBSCRIBE'])
    expect(callsOf('subscribe')).toBe(0)
  })

  it('by an order right after subscribe=0, before Klaviyo has worked that off', async () => {
    await post('track', subscribing)
    await post('identify', { subscribe: '0' }, { isDelivered: false })
    await post('track', { ...subscribing, ...anyOrder }, { isDelivered: false })
    await shop.deliver()
    expect(isSubscribed()).toBe(false)
    expect(await sendsOf()).toEqual([subscribed, unsubscribed, skipped])
  })

  it('and whoever leaves and comes back within a minute is', async () => {
    await post('track', subscribing)
    await post('identify', { subscribe: '0' })
    expect(isSubscribed()).toBe(false)
    await post('identify', { subscribe: '1' })
    expect(isSubscribed()).toBe(true)
    expect(callsOf('unsubscribe')).toBe(1)
  })

  it('and a repeated form subscribes once in 24 hours', async () => {
    await post('track', subscribing)
    await post('track', subscribing)
    expect(callsOf('subscribe')).toBe(1)
    expect(await sendsOf()).toEqual([subscribed, ['subscribe', 'skipped', 'ALREADY_SUBSCRIBED']])
  })

  /** A consent of the checkout from so many seconds ago, as the feed stores it. */
  const consent = (secondsAgo: number) => {
    const at = new Date(shop.now() - secondsAgo * 1000).toISOString()
    const message: SubscribeMessage = {
      kind: 'subscribe',
      profile: { email },
      list: 'WELCOME',
      channels: ['email'],
      basis: 'explicit',
      consentedAt: { email: at },
    }
    const key = `order:${email}:consent`
    return { at, send: { message, key, acceptedAt: new Date(shop.now()) } }
  }

  it('and a consent of the checkout is sent with its own moment', async () => {
    const { at, send } = consent(90)
    await shop.parts.outbox.store([send])
    await shop.deliver()
    const { status, at: storedAt } = shop.standIn.state.profileByEmail(email)?.consent.email ?? {}
    expect(status).toBe('SUBSCRIBED')
    expect(new Date(storedAt ?? 0).toISOString()).toBe(at)
  })

  it('and a consent waits a minute, as the moment must have passed by the clock of Klaviyo', async () => {
    const { at, send } = consent(0)
    await shop.parts.outbox.store([send])
    await shop.runTask()
    expect(callsOf('subscribe')).toBe(0)
    const stored = { collection: 'marketing-sends', where: { key: { equals: send.key } } } as const
    const dueAt = new Date(Date.parse(at) + 60_000).toISOString()
    const { docs } = await shop.payload.find(stored)
    expect(docs).toMatchObject([{ state: 'queued', nextAttemptAt: dueAt }])
  })

  it('by a box that they ticked at the checkout before they left', async () => {
    await shop.parts.outbox.store([consent(90).send])
    await leaves()
    await shop.deliver()
    expect(callsOf('subscribe')).toBe(0)
  })

  it('by a form from before the setting was switched on, which waited', async () => {
    await leaves()
    await shop.save({ followUnsubscribes: false })
    await post('track', subscribing, { isDelivered: false })
    await shop.save({ followUnsubscribes: true })
    await shop.deliver()
    expect(callsOf('subscribe')).toBe(0)
    expect(await sendsOf()).toEqual([skipped])
  })

  it("whose customer's document says so, even when Klaviyo has forgotten the profile", async () => {
    const { id } = await aCustomer(shop, email)
    const data = {
      emailConsent: { status: 'unsubscribed', since: new Date(shop.now()).toISOString() },
    }
    await shop.payload.db.updateOne({ collection: 'users', id, data })
    await post('track', { ...subscribing, ...anyOrder })
    expect(await sendsOf()).toEqual([skipped])
  })

  it('and nobody is while Klaviyo cannot say whether they left', async () => {
    await leaves()
    // One may strike the poll, which asks the same.
    shop.standIn.faults.add({ kind: 'error', calls: ['find-profiles'], times: 2 })
    await post('track', { ...subscribing, ...anyOrder })
    expect(callsOf('find-profiles')).toBeGreaterThan(1)
    expect(callsOf('subscribe')).toBe(0)
    expect(await sendsOf()).toEqual([skipped])
  })
})

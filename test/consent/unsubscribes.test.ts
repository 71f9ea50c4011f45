import { demoApiKey } from '../../dev/klaviyo/stand-in.ts'
import { aSubscription } from '../klaviyo/messages.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConsentChange } from '../../src/consent/consent-change.js'
import { partsOf } from '../../src/installation.js'
import { databaseKinds } from '../support/store.js'
import { consentPollOf, minute, openConsentShop, type ConsentShop } from './consent-shop.js'

let lastPerson = 0

describe.each(databaseKinds)('Unsubscribes that flow back on %s', (kind) => {
  let shop: ConsentShop
  /** The store's own hook. A test sets it, but the store is opened once. */
  let tell: (change: ConsentChange) => void

  beforeAll(async () => {
    shop = await openConsentShop(kind, {
      marketing: { onConsentChange: (change) => tell(change) },
    })
  })
  afterAll(() => shop.close())
  beforeEach(async () => {
    tell = () => undefined
    await shop.payload.kv.delete('storeconnect:consents')
  })

  async function customer(email = `person${++lastPerson}@example.com`) {
    const { id } = await shop.payload.create({
      collection: 'users',
      data: { email, password: 'secret', roles: ['customer'] },
    })
    return { id, email }
  }
  const consentsOf = async (id: number | string) => {
    const { emailConsent, smsConsent } = (await shop.payload.findByID({
      collection: 'users',
      id,
    })) as unknown as Record<'emailConsent' | 'smsConsent', Record<string, string | null>>
    return { email: emailConsent, sms: smsConsent }
  }
  const leave = (id: string) => shop.klaviyo.standIn.people.suppress(id, 'UNSUBSCRIBE')
  const subscribe = async (email: string) => {
    const { platform } = partsOf(shop.payload)
    const message = aSubscription({
      profile: { email },
      consentedAt: { email: new Date(Date.now() - 1000).toISOString() },
    })
    const { signal } = new AbortController()
    const { outcomes } = await platform.subscribe([message], { apiKey: demoApiKey, signal })
    expect(outcomes).toEqual([{ is: 'delivered' }])
  }

  it('reach customers who left before the first poll, with moment and reason', async () => {
    const { id, email } = await customer()
    const never = { status: 'never' }
    expect(await consentsOf(id)).toMatchObject({ email: never, sms: never })
    const profile = await shop.person({ email: email.toUpperCase() })
    leave(profile)
    const at = shop.klaviyo.standIn.state.profiles.get(profile)?.suppressions[0]?.at ?? 0
    await consentPollOf(shop).run()
    const consents = await consentsOf(id)
    expect(consents).toMatchObject({
      email: { status: 'unsubscribed', source: 'UNSUBSCRIBE' },
      sms: never,
    })
    expect(new Date(String(consents.email.since)).getTime()).toBe(at)
  })

  it('reach customers fifteen minutes after they left, and not before, and follow who comes back', async () => {
    const { id, email } = await customer()
    const profile = await shop.person({ email })
    const poll = consentPollOf(shop)
    await poll.run()
    leave(profile)
    for (const [minutes, status] of [
      [14, 'never'],
      [1, 'unsubscribed'],
    ] as const) {
      poll.pass(minutes * minute)
      await poll.run()
      expect(await consentsOf(id)).toMatchObject({ email: { status } })
    }
    await subscribe(email)
    poll.pass(15 * minute)
    await poll.run()
    expect(await consentsOf(id)).toMatchObject({ email: { status: 'subscribed' } })
  })

  it.each(['HARD_BOUNCE', 'INVALID_EMAIL'] as const)(
    'take nobody for gone by %s',
    async (reason) => {
      const { id, email } = await customer()
      shop.klaviyo.standIn.people.suppress(await shop.person({ email }), reason)
      await consentPollOf(shop).run()
      expect(await consentsOf(id)).toMatchObject({ email: { status: 'never' } })
    },
  )

  it('continue from the cursor in another process, over more people than a page has', async () => {
    const people: { id: number | string; profile: string }[] = []
    for (let count = 0; count < 3; count++) {
      const { id, email } = await customer()
      people.push({ id, profile: await shop.person({ email }) })
    }
    await consentPollOf(shop).run()
    for (let count = 0; count < 120; count++) {
      leave(await shop.person({ email: `stranger${++lastPerson}@example.com` }))
    }
    for (const { profile } of people) leave(profile)
    await consentPollOf(shop, { start: Date.now() + 15 * minute }).run()
    for (const { id } of people) {
      expect(await consentsOf(id)).toMatchObject({ email: { status: 'unsubscribed' } })
    }
  })

  it.each([15, -15])('survive a clock that is %i minutes wrong', async (minutes) => {
    const { id, email } = await customer()
    const profile = await shop.person({ email })
    // Nor does a process matter whose clock was a day ahead.
    await consentPollOf(shop, { start: Date.now() + 24 * 60 * minute }).run()
    const poll = consentPollOf(shop, { start: Date.now() + minutes * minute })
    await poll.run()
    leave(profile)
    poll.pass(15 * minute)
    await poll.run()
    expect(await consentsOf(id)).toMatchObject({ email: { status: 'unsubscribed' } })
  })

  it('reach an account of somebody who left as a guest', async () => {
    const email = `person${++lastPerson}@example.com`
    leave(await shop.person({ email }))
    const poll = consentPollOf(shop, { start: Date.now() + 60 * minute })
    await poll.run()
    const { id } = await customer(email)
    poll.pass(15 * minute)
    await poll.run()
    expect(await consentsOf(id)).toMatchObject({ email: { status: 'unsubscribed' } })
  })

  it('show texts that somebody stopped', async () => {
    const { id, email } = await customer()
    const profile = await shop.person({ email, phone_number: '+447400123456' })
    shop.klaviyo.standIn.people.stopTexts(profile)
    await consentPollOf(shop).run()
    expect(await consentsOf(id)).toMatchObject({
      email: { status: 'never' },
      sms: { status: 'unsubscribed' },
    })
  })

  it('show texts that somebody stopped a day later, where that is no update of the profile', async () => {
    const { id, email } = await customer()
    const profile = await shop.person({ email, phone_number: `+4474001${10_000 + ++lastPerson}` })
    const poll = consentPollOf(shop)
    await poll.run()
    shop.klaviyo.standIn.people.stopTexts(profile)
    const stored = shop.klaviyo.standIn.state.profiles.get(profile)
    if (stored) stored.updatedAt = 0
    for (const [minutes, status] of [
      [15, 'never'],
      [24 * 60, 'unsubscribed'],
    ] as const) {
      poll.pass(minutes * minute)
      await poll.run()
      expect(await consentsOf(id)).toMatchObject({ sms: { status } })
    }
  })

  it('tell the hook of people without an account too, each change once', async () => {
    const told: Omit<ConsentChange, 'req'>[] = []
    tell = ({ req, ...change }) => {
      expect(req.payload).toBe(shop.payload)
      told.push(change)
    }
    const poll = consentPollOf(shop)
    await poll.run()
    told.splice(0)
    const { id, email } = await customer()
    const guest = `guest${++lastPerson}@example.com`
    leave(await shop.person({ email }))
    leave(await shop.person({ email: guest }))
    for (let polls = 0; polls < 3; polls++) {
      poll.pass(15 * minute)
      await poll.run()
    }
    const change = { channel: 'email', status: 'unsubscribed', source: 'UNSUBSCRIBE' }
    const since = expect.any(Date) as Date
    expect(told).toHaveLength(2)
    expect(told).toEqual(
      expect.arrayContaining([
        { ...change, since, email, customerId: id },
        { ...change, since, email: guest },
      ]),
    )
  })

  it('call a hook that throws again at the next poll, and others meanwhile', async () => {
    const told: (string | undefined)[] = []
    let isBroken = true
    const [one, other] = [await customer(), await customer()]
    tell = ({ email }) => {
      if (email === one.email && isBroken) throw new Error(`No place for ${email}`)
      told.push(email)
    }
    const poll = consentPollOf(shop)
    for (const { email } of [one, other]) leave(await shop.person({ email }))
    await poll.run()
    expect(told).toContain(other.email)
    expect(told).not.toContain(one.email)
    expect(poll.log.map(({ sentence }) => sentence)).toContain(
      'onConsentChange failed and will be called again',
    )
    expect(poll.log.at(-1)?.fields).toEqual({
      channel: 'email',
      customerId: one.id,
      err: expect.any(Error) as Error,
    })
    isBroken = false
    told.splice(0)
    poll.pass(15 * minute)
    await poll.run()
    expect(told).toContain(one.email)
    expect(await consentsOf(one.id)).toMatchObject({ email: { status: 'unsubscribed' } })
  })

  it('call a hook that throws again for people without an account, until it succeeds', async () => {
    const guest = `guest${++lastPerson}@example.com`
    let calls = 0
    tell = ({ email }) => {
      if (email === guest && ++calls < 3) throw new Error('No place')
    }
    const poll = consentPollOf(shop)
    leave(await shop.person({ email: guest }))
    for (let polls = 0; polls < 5; polls++) {
      await poll.run()
      poll.pass(15 * minute)
    }
    expect(calls).toBe(3)
  })

  it.each([
    ['cannot answer', { kind: 'error' }],
    ['has had too many questions', { kind: 'throttle', seconds: 30 }],
  ] as const)('stay while Klaviyo %s, and come when it can', async (_, fault) => {
    const { id, email } = await customer()
    leave(await shop.person({ email }))
    shop.klaviyo.standIn.faults.add({ ...fault, calls: ['find-profiles'], times: 1 })
    const poll = consentPollOf(shop)
    await poll.run()
    expect(await consentsOf(id)).toMatchObject({ email: { status: 'never' } })
    poll.pass(minute)
    await poll.run()
    expect(await consentsOf(id)).toMatchObject({ email: { status: 'unsubscribed' } })
  })

  it('ask nothing while the setting is off, and keep nothing', async () => {
    const { slug } = { slug: 'marketing-settings' } as const
    await shop.payload.updateGlobal({ slug, data: { followUnsubscribes: false } })
    const asked = shop.klaviyo.standIn.state.calls.length
    await consentPollOf(shop).run()
    await shop.payload.updateGlobal({ slug, data: { followUnsubscribes: true } })
    expect(shop.klaviyo.standIn.state.calls).toHaveLength(asked)
    expect(await shop.payload.kv.get('storeconnect:consents')).toBeFalsy()
  })

  it('change no customer once another process delivers', async () => {
    const { id, email } = await customer()
    leave(await shop.person({ email }))
    await consentPollOf(shop, { delivers: false }).run()
    expect(await consentsOf(id)).toMatchObject({ email: { status: 'never' } })
  })

  it('are found by the delivery itself, which tells the store', { timeout: 240_000 }, async () => {
    const told: Pick<ConsentChange, 'customerId' | 'status'>[] = []
    tell = ({ customerId = '', status }) => void told.push({ customerId, status })
    const { id, email } = await customer()
    leave(await shop.person({ email }))
    await shop.deliver()
    expect(await consentsOf(id)).toMatchObject({ email: { status: 'unsubscribed' } })
    expect(told).toContainEqual({ customerId: id, status: 'unsubscribed' })
  })
})

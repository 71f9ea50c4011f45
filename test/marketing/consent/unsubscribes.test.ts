import { describe, expect, it, beforeEach } from 'vitest'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
import type { ConsentChange } from '../../../src/marketing/consent/consent-options.js'
import { sqlDatabase } from '../../../src/core/database/database.js'
import { aSubscription } from '../klaviyo/messages.js'
import { endLease } from '../../support/end-lease.js'
import { databaseKinds } from '../../support/store.js'
import {
  aCustomer,
  aPerson,
  consentsOf,
  consentStore,
  followConsents,
  leave,
  minute,
  newEmail,
} from './consent-shop.js'

describe.each(databaseKinds)('Unsubscribes that flow back on %s', (kind) => {
  /** The store's own hook. */
  let tell: (change: ConsentChange) => void
  const shop = consentStore(kind, { onConsentChange: (change) => tell(change) })
  beforeEach(() => {
    tell = () => undefined
  })

  const subscribe = async (email: string) => {
    const message = aSubscription({
      profile: { email },
      consentedAt: { email: new Date(shop.now() - 1000).toISOString() },
    })
    const { signal } = new AbortController()
    const { outcomes } = await shop.parts.klaviyo.subscribe([message], {
      apiKey: demoApiKey,
      signal,
    })
    expect(outcomes).toEqual([{ is: 'delivered' }])
  }

  it('reach customers who left before the first poll, with moment and reason', async () => {
    const { id, email } = await aCustomer(shop)
    const never = { status: 'never' }
    expect(await consentsOf(shop, id)).toMatchObject({ email: never, sms: never })
    await leave(shop, email.toUpperCase())
    const at = shop.standIn.state.profileByEmail(email)?.suppressions[0]?.at ?? 0
    await followConsents(shop)
    const consents = await consentsOf(shop, id)
    expect(consents).toMatchObject({
      email: { status: 'unsubscribed', source: 'UNSUBSCRIBE' },
      sms: never,
    })
    expect(new Date(String(consents.email.since)).getTime()).toBe(at)
  })

  it('reach customers fifteen minutes after they left, and not before, and follow who comes back', async () => {
    const { id, email } = await aCustomer(shop)
    await aPerson(shop, { email })
    await followConsents(shop)
    await leave(shop, email)
    for (const [minutes, status] of [
      [14, 'never'],
      [1, 'unsubscribed'],
    ] as const) {
      shop.move(minutes * minute)
      await followConsents(shop)
      expect(await consentsOf(shop, id)).toMatchObject({ email: { status } })
    }
    await subscribe(email)
    shop.move(15 * minute)
    await followConsents(shop)
    expect(await consentsOf(shop, id)).toMatchObject({ email: { status: 'subscribed' } })
  })

  it.each(['HARD_BOUNCE', 'INVALID_EMAIL'] as const)(
    'take nobody for gone by %s',
    async (reason) => {
      const { id, email } = await aCustomer(shop)
      shop.standIn.people.suppress(await aPerson(shop, { email }), reason)
      await followConsents(shop)
      expect(await consentsOf(shop, id)).toMatchObject({ email: { status: 'never' } })
    },
  )

  it('continue from the cursor in another process, over more people than a page has', async () => {
    const people = [await aCustomer(shop), await aCustomer(shop), await aCustomer(shop)]
    await followConsents(shop)
    const strangers = Array.from({ length: 120 }, newEmail)
    await leave(shop, ...strangers, ...people.map(({ email }) => email))
    shop.move(15 * minute)
    await followConsents(shop, await shop.join())
    for (const { id } of people) {
      expect(await consentsOf(shop, id)).toMatchObject({ email: { status: 'unsubscribed' } })
    }
  })

  it.each([15, -15])('survive a clock that is %i minutes wrong', async (minutes) => {
    const isWrong = (by: number) =>
      shop.join({ effects: { now: () => new Date(shop.now() + by * minute) } })
    const { id, email } = await aCustomer(shop)
    // Nor does a process matter whose clock was a day ahead.
    await followConsents(shop, await isWrong(24 * 60))
    const process = await isWrong(minutes)
    await followConsents(shop, process)
    await leave(shop, email)
    shop.move(15 * minute)
    await followConsents(shop, process)
    expect(await consentsOf(shop, id)).toMatchObject({ email: { status: 'unsubscribed' } })
  })

  it('reach an account of somebody who left as a guest', async () => {
    const email = newEmail()
    await leave(shop, email)
    await followConsents(shop)
    const { id } = await aCustomer(shop, email)
    shop.move(15 * minute)
    await followConsents(shop)
    expect(await consentsOf(shop, id)).toMatchObject({ email: { status: 'unsubscribed' } })
  })

  it('show texts that somebody stopped', async () => {
    const { id, email } = await aCustomer(shop)
    const profile = await aPerson(shop, { email, phoneNumber: '+447400123456' })
    shop.standIn.people.stopTexts(profile)
    await followConsents(shop)
    expect(await consentsOf(shop, id)).toMatchObject({
      email: { status: 'never' },
      sms: { status: 'unsubscribed' },
    })
  })

  it('show texts that somebody stopped a day later, where that is no update of the profile', async () => {
    const { id, email } = await aCustomer(shop)
    const profile = await aPerson(shop, { email, phoneNumber: '+447400110001' })
    await followConsents(shop)
    shop.standIn.people.stopTexts(profile)
    const stored = shop.standIn.state.profiles.get(profile)
    if (stored) stored.updatedAt = 0
    for (const [minutes, status] of [
      [15, 'never'],
      [24 * 60, 'unsubscribed'],
    ] as const) {
      shop.move(minutes * minute)
      await followConsents(shop)
      expect(await consentsOf(shop, id)).toMatchObject({ sms: { status } })
    }
  })

  it('tell the hook of people without an account too, each change once', async () => {
    const told: Omit<ConsentChange, 'req'>[] = []
    tell = ({ req, ...change }) => {
      expect(req.payload).toBe(shop.payload)
      told.push(change)
    }
    await followConsents(shop)
    told.splice(0)
    const { id, email } = await aCustomer(shop)
    const guest = newEmail()
    await leave(shop, email)
    await leave(shop, guest)
    for (let polls = 0; polls < 3; polls++) {
      shop.move(15 * minute)
      await followConsents(shop)
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
    const [one, other] = [await aCustomer(shop), await aCustomer(shop)]
    tell = ({ email }) => {
      if (email === one.email && isBroken) throw new Error(`No place for ${email}`)
      told.push(email)
    }
    for (const { email } of [one, other]) await leave(shop, email)
    await followConsents(shop)
    expect(told).toContain(other.email)
    expect(told).not.toContain(one.email)
    const msg = 'onConsentChange failed and will be called again'
    const [line] = shop.log.lines().filter((logged) => logged.msg === msg)
    expect(line).toMatchObject({ channel: 'email', customerId: one.id })
    expect(line).not.toHaveProperty('email')
    isBroken = false
    told.splice(0)
    shop.move(15 * minute)
    await followConsents(shop)
    expect(told).toContain(one.email)
    expect(await consentsOf(shop, one.id)).toMatchObject({ email: { status: 'unsubscribed' } })
  })

  it('call a hook that throws again for people without an account, until it succeeds', async () => {
    const guest = newEmail()
    let calls = 0
    tell = ({ email }) => {
      if (email === guest && ++calls < 3) throw new Error('No place')
    }
    await leave(shop, guest)
    for (let polls = 0; polls < 5; polls++) {
      await followConsents(shop)
      shop.move(15 * minute)
    }
    expect(calls).toBe(3)
  })

  it.each([
    ['cannot answer', { kind: 'error' }],
    ['has had too many questions', { kind: 'throttle', seconds: 30 }],
  ] as const)('stay while Klaviyo %s, and come when it can', async (_, fault) => {
    const { id, email } = await aCustomer(shop)
    await leave(shop, email)
    shop.standIn.faults.add({ ...fault, calls: ['find-profiles'], times: 1 })
    await followConsents(shop)
    expect(await consentsOf(shop, id)).toMatchObject({ email: { status: 'never' } })
    shop.move(minute)
    await followConsents(shop)
    expect(await consentsOf(shop, id)).toMatchObject({ email: { status: 'unsubscribed' } })
  })

  it('ask nothing while the setting is off, and keep nothing', async () => {
    await shop.save({ followUnsubscribes: false })
    await followConsents(shop)
    expect(shop.standIn.state.calls).toEqual([])
    expect(await shop.payload.kv.get('storeconnect:consents')).toBeFalsy()
  })

  it('change no customer once another process delivers', async () => {
    const { id, email } = await aCustomer(shop)
    await leave(shop, email)
    const other = await shop.join()
    shop.network = async (request, ask) => {
      const answer = await ask(request)
      await endLease(sqlDatabase(shop.payload))
      await other.parts.deliverer.take()
      return answer
    }
    await followConsents(shop)
    expect(await consentsOf(shop, id)).toMatchObject({ email: { status: 'never' } })
  })
})

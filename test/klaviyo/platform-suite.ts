import { describe, expect, it } from 'vitest'
import type {
  CallOptions,
  Dispatch,
  MarketingPlatform,
  Outcome,
} from '../../src/klaviyo/platform.js'
import type { EventMessage } from '../../src/klaviyo/message.js'
import type { Profile } from '../../src/klaviyo/profile.js'
import { anEvent, aSubscription } from './messages.js'

/** A platform with an account of its own, in which a test may do as it likes. */
export interface PlatformUnderTest {
  platform: MarketingPlatform
  options: CallOptions
  /** A key that the platform does not know. */
  wrongKey: string
  /** Resolves when everything that was taken has been worked off. */
  settle: () => Promise<void>
  /** Lists that are there; both take profiles without a confirmation. */
  lists: { first: string; second: string }
  /** What the account holds, where the platform can be looked into. */
  account?: {
    events: (email: string) => { name: string; uniqueId: string }[]
    attributes: (email: string) => Record<string, unknown> | undefined
    members: (list: string) => string[]
  }
}

const allOf = (outcomes: readonly Outcome[]) => outcomes.map(({ is }) => is)

/** What the delivery relies on, of whatever stands behind the port. Emails are new in every test. */
export function testPlatform(name: string, makePlatform: () => PlatformUnderTest): void {
  describe(`The marketing platform: ${name}`, () => {
    let last = 0
    const newEmail = () => `visitor-${Date.now().toString(36)}-${++last}@example.com`
    const eventOf = (profile: Profile, event: Partial<EventMessage['event']> = {}) =>
      anEvent({ profile, event }, new Date())

    it('takes an event and makes its profile', async () => {
      const { platform, options, settle, account } = makePlatform()
      const email = newEmail()
      const { outcomes } = await platform.trackEvent(eventOf({ email, firstName: 'Anna' }), options)
      await settle()
      expect(outcomes).toEqual([{ is: 'delivered' }])
      if (account === undefined) return
      expect(account.events(email)).toEqual([{ name: 'Viewed Page', uniqueId: 'visit-1' }])
      expect(account.attributes(email)).toMatchObject({ first_name: 'Anna' })
    })

    it('records one event a profile, name and unique id, however it comes', async () => {
      const { platform, options, settle, account } = makePlatform()
      const event = eventOf({ email: newEmail() })
      await platform.trackEvent(event, options)
      await platform.trackEvent(event, options)
      const other = eventOf({ email: newEmail() })
      const { outcomes } = await platform.trackEvents([other, other], options)
      expect(allOf(outcomes)).toEqual(['delivered', 'delivered'])
      await settle()
      for (const { message } of [event, other]) {
        expect(account?.events(message.profile.email ?? '') ?? [1]).toHaveLength(1)
      }
    })

    it('takes many events at once, those of a profile in their order', async () => {
      const { platform, options, settle, account } = makePlatform()
      const [anna, berta] = [newEmail(), newEmail()]
      const events: Dispatch<EventMessage>[] = Array.from({ length: 40 }, (_, index) =>
        eventOf({ email: index % 3 === 0 ? berta : anna }, { uniqueId: `visit-${index}` }),
      )
      const { outcomes } = await platform.trackEvents(events, options)
      await settle()
      expect(new Set(allOf(outcomes))).toEqual(new Set(['delivered']))
      const ids = account?.events(anna).map(({ uniqueId }) => Number(uniqueId.slice(6)))
      expect(ids ?? []).toEqual([...(ids ?? [])].sort((a, b) => a - b))
    })

    it('refuses the bad event of many, and takes the others when they come again', async () => {
      const { platform, options } = makePlatform()
      const good = [eventOf({ email: newEmail() }), eventOf({ email: newEmail() })]
      const bad = eventOf({ email: newEmail() }, { time: '1980-01-01T00:00:00Z' })
      const { outcomes } = await platform.trackEvents([...good, bad], options)
      expect(allOf(outcomes)).toEqual(['requeue', 'requeue', 'refused'])
      expect(allOf((await platform.trackEvents(good, options)).outcomes)).toEqual([
        'delivered',
        'delivered',
      ])
    })

    it('leaves out a phone number that is none, and takes the rest', async () => {
      const { platform, options } = makePlatform()
      const profile = { email: newEmail(), phoneNumber: '+1' }
      const [outcome] = (await platform.saveProfile(profile, options)).outcomes
      expect(outcome).toMatchObject({
        is: 'retryWithout',
        message: { profile: { email: profile.email } },
      })
      if (outcome?.is !== 'retryWithout') return
      const again = await platform.saveProfile(outcome.message.profile, options)
      expect(allOf(again.outcomes)).toEqual(['delivered'])
    })

    it('keeps the email when the phone number is somebody else’s', async () => {
      const { platform, options } = makePlatform()
      const phoneNumber = `+43664${String(Date.now()).slice(-8)}`
      const [anna, berta] = [newEmail(), newEmail()]
      await platform.saveProfile({ email: anna, phoneNumber }, options)
      await platform.saveProfile({ email: berta }, options)
      const { outcomes } = await platform.saveProfile({ email: berta, phoneNumber }, options)
      expect(outcomes).toMatchObject([
        { is: 'retryWithout', message: { profile: { email: berta } } },
      ])
    })

    it('imports profiles by a job that says when it is through', async () => {
      const { platform, options, settle, lists, account } = makePlatform()
      const emails = [newEmail(), newEmail()]
      const { outcomes } = await platform.importProfiles(
        emails.map((email) => ({ email, lastName: 'Berg' })),
        { ...options, list: lists.first },
      )
      const [outcome] = outcomes
      const job = outcome?.is === 'delivered' ? (outcome.job ?? '') : ''
      expect(job).not.toBe('')
      await settle()
      expect(await platform.importJob(job, options)).toMatchObject({
        isComplete: true,
        failedCount: 0,
      })
      expect(await platform.importErrors(job, options)).toMatchObject({ errors: [] })
      expect(account?.members(lists.first) ?? emails).toEqual(expect.arrayContaining(emails))
      expect(account?.attributes(emails[0] ?? '') ?? { last_name: 'Berg' }).toMatchObject({
        last_name: 'Berg',
      })
    })

    it('finds the profiles that are there, and adds them to a list by id', async () => {
      const { platform, options, settle, lists, account } = makePlatform()
      const emails = [newEmail(), newEmail(), newEmail()]
      const [anna = '', berta = '', nobody = ''] = emails
      for (const email of [anna, berta]) await platform.saveProfile({ email }, options)
      await settle()
      const found = await platform.findProfiles(emails, options)
      if ('failed' in found) throw new Error(found.failed.error.detail)
      expect([...found.ids.keys()].sort()).toEqual([anna, berta].sort())
      expect(found.ids.has(nobody)).toBe(false)
      const ids = [...found.ids.values()]
      const { outcomes } = await platform.addToList(ids, { ...options, list: lists.second })
      expect(allOf(outcomes)).toEqual(['delivered', 'delivered'])
      await settle()
      expect(account?.members(lists.second) ?? [anna, berta]).toEqual(
        expect.arrayContaining([anna, berta]),
      )
    })

    it('subscribes to a list', async () => {
      const { platform, options, lists, settle, account } = makePlatform()
      const email = newEmail()
      const message = aSubscription({ profile: { email }, list: lists.first })
      expect(allOf((await platform.subscribe([message], options)).outcomes)).toEqual(['delivered'])
      await settle()
      expect(account?.members(lists.first) ?? [email]).toContain(email)
    })

    it('finds who is subscribed to a list, by email and by phone number', async () => {
      const { platform, options, lists, settle } = makePlatform()
      const phoneNumber = `+43664${String(Date.now()).slice(-8)}`
      const list = lists.first
      const messages = [
        aSubscription({ profile: { email: newEmail() }, list }),
        aSubscription({ profile: { phoneNumber }, channels: ['sms'], list }),
      ]
      const [elsewhere, nobody] = [
        aSubscription({ profile: messages[0]?.profile ?? {}, list: lists.second }),
        aSubscription({ profile: { email: newEmail() }, list }),
      ]
      await platform.saveProfile(nobody.profile, options)
      await platform.subscribe(messages, options)
      await settle()
      const found = await platform.findSubscribed([...messages, elsewhere, nobody], options)
      if ('failed' in found) throw new Error(found.failed.error.detail)
      expect([...found.subscribed]).toEqual(messages)
    })

    it('refuses what is for a list that is not there', async () => {
      const { platform, options, settle } = makePlatform()
      const email = newEmail()
      await platform.saveProfile({ email }, options)
      await settle()
      const found = await platform.findProfiles([email], options)
      const ids = 'ids' in found ? [...found.ids.values()] : []
      const list = 'NOLIST'
      const answers = [
        await platform.addToList(ids, { ...options, list }),
        await platform.subscribe([aSubscription({ profile: { email }, list })], options),
        await platform.importProfiles([{ email }], { ...options, list }),
      ]
      expect(answers.flatMap(({ outcomes }) => allOf(outcomes))).toEqual([
        'refused',
        'refused',
        'refused',
      ])
    })

    it('reads the lists of the account with their names', async () => {
      const { platform, options, lists } = makePlatform()
      const answer = await platform.lists(options)
      if ('failed' in answer) throw new Error(answer.failed.error.detail)
      expect(answer.isComplete).toBe(true)
      expect(answer.lists.map(({ id }) => id)).toEqual(
        expect.arrayContaining([lists.first, lists.second]),
      )
      for (const { name } of answer.lists) expect(name).not.toBe('')
    })

    it('says whose key it is', async () => {
      const { platform, options } = makePlatform()
      const check = await platform.checkAccount(options)
      expect(check).toMatchObject({ missingScopes: [] })
      expect('accountName' in check && check.accountName).not.toBe('')
    })

    it('says of a wrong key that it is the settings', async () => {
      const { platform, options, wrongKey } = makePlatform()
      const wrong = { ...options, apiKey: wrongKey }
      const email = newEmail()
      expect(await platform.checkAccount(wrong)).toMatchObject({ failed: { is: 'misconfigured' } })
      expect(await platform.lists(wrong)).toMatchObject({ failed: { is: 'misconfigured' } })
      const { outcomes } = await platform.trackEvents([eventOf({ email })], wrong)
      expect(allOf(outcomes)).toEqual(['misconfigured'])
      expect(JSON.stringify(outcomes)).not.toContain(wrongKey)
    })

    it('says how much of the steady limit is left', async () => {
      const { platform, options } = makePlatform()
      const { rate } = await platform.saveProfile({ email: newEmail() }, options)
      expect(rate?.limit).toBeGreaterThan(0)
      expect(rate?.remaining).toBeLessThan(rate?.limit ?? 0)
    })
  })
}

import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { klaviyoBounds } from '../../../src/klaviyo/limits.js'
import type { CallName, CallOptions, MarketingPlatform } from '../../../src/klaviyo/platform.js'
import { answering, json, problem, type ReceivedCall } from '../../unit/klaviyo/answering.js'
import { arbitraryEvent, arbitraryProfile, arbitrarySubscription } from '../arbitrary-messages.js'
import { aSubscription } from '../messages.js'
import { contracts, published, type DocumentName } from './documents.js'
import { documentNameOf, expectPublished } from './expect-published.js'

const runs = { numRuns: 300 }

type Make = (platform: MarketingPlatform, options: CallOptions) => Promise<unknown>

/** What leaves for the platform when a call is made. */
async function sentBy(
  make: Make,
  answer = json(202, { data: { id: 'J' } }),
): Promise<ReceivedCall> {
  const { platform, asked, options } = answering(answer)
  await make(platform, options)
  const [call] = asked
  if (call === undefined) throw new Error('Nothing was sent.')
  return call
}

const at = new Date('2026-03-10T12:00:00Z')
const profile = { email: 'a@example.com' }
const event = {
  message: {
    kind: 'event' as const,
    profile,
    event: { name: 'Looked', uniqueId: 'look-1', properties: {} },
  },
  acceptedAt: at,
}
const ofList = (options: CallOptions) => ({ ...options, list: 'VIPLIST' })

/** Each call that the client can make. */
const everything: Record<Exclude<keyof MarketingPlatform, 'bounds'>, Make> = {
  trackEvent: (platform, options) => platform.trackEvent(event, options),
  trackEvents: (platform, options) => platform.trackEvents([event], options),
  saveProfile: (platform, options) => platform.saveProfile(profile, options),
  importProfiles: (platform, options) => platform.importProfiles([profile], options),
  subscribe: (platform, options) => platform.subscribe([aSubscription()], options),
  unsubscribe: (platform, options) =>
    platform.unsubscribe([{ kind: 'unsubscribe', profile, channels: ['email'] }], options),
  deleteProfile: (platform, options) => platform.deleteProfile(profile, options),
  findConsents: (platform, options) => platform.findConsents([profile], options),
  changedConsents: (platform, options) =>
    platform.changedConsents({ walk: 'updated', from: at }, options),
  addToList: (platform, options) => platform.addToList(['01ABC'], ofList(options)),
  findProfiles: (platform, options) => platform.findProfiles(['a@example.com'], options),
  findSubscribed: (platform, options) => platform.findSubscribed([aSubscription()], options),
  importJob: (platform, options) => platform.importJob('J1', options),
  importErrors: (platform, options) => platform.importErrors('J1', options),
  lists: (platform, options) => platform.lists(options),
  checkAccount: (platform, options) => platform.checkAccount(options),
}

async function everyCall(): Promise<ReceivedCall[]> {
  const calls: ReceivedCall[] = []
  for (const make of Object.values(everything)) {
    const { platform, asked, options } = answering(
      ...Array.from({ length: 10 }, () => json(200, { data: [{ id: 'A1', attributes: {} }] })),
    )
    await make(platform, options)
    expect(asked.length).toBeGreaterThan(0)
    calls.push(...asked)
  }
  return calls
}

/** With a body without data, the check of a key asks for the scopes of a call. */
const isProbe = ({ body }: ReceivedCall): boolean => JSON.stringify(body) === '{}'

/** The documents of the calls that have limits of their own. */
const documentOf: Record<CallName, DocumentName> = {
  event: 'create_event',
  events: 'bulk_create_events',
  profile: 'create_or_update_profile',
  profiles: 'bulk_import_profiles',
  subscribe: 'bulk_subscribe_profiles',
  'delete-profile': 'request_profile_deletion',
  unsubscribe: 'bulk_unsubscribe_profiles',
  'find-profiles': 'get_profiles',
  'find-subscribed': 'get_profiles_for_list',
  'list-members': 'add_profiles_to_list',
  'import-job': 'get_bulk_import_profiles_job',
  'import-errors': 'get_errors_for_bulk_import_profiles_job',
}

describe.skipIf(!contracts)("The platform's published documents (needs CONTRACTS_DIR)", () => {
  it('accept every event that we send alone', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryEvent, async (event) => {
        const call = await sentBy((platform, options) => platform.trackEvent(event, options))
        expectPublished('create_event', call)
      }),
      runs,
    )
  })

  it('accept every batch of events that we send', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryEvent, { minLength: 1, maxLength: 8 }), async (events) => {
        const call = await sentBy((platform, options) => platform.trackEvents(events, options))
        expectPublished('bulk_create_events', call)
      }),
      runs,
    )
  })

  it('accept every profile that we save', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryProfile, async (profile) => {
        const call = await sentBy((platform, options) => platform.saveProfile(profile, options))
        expectPublished('create_or_update_profile', call)
      }),
      runs,
    )
  })

  it('accept every import that we start, with a list and without', async () => {
    const profiles = fc.array(arbitraryProfile, { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(profiles, fc.boolean(), async (people, hasList) => {
        const call = await sentBy((platform, options) =>
          platform.importProfiles(people, { ...options, ...(hasList && { list: 'VIPLIST' }) }),
        )
        expectPublished('bulk_import_profiles', call)
      }),
      runs,
    )
  })

  it('accept every subscription that we send', async () => {
    const messages = fc.array(arbitrarySubscription('WELCOME'), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(messages, async (subscriptions) => {
        const call = await sentBy((platform, options) => platform.subscribe(subscriptions, options))
        expectPublished('bulk_subscribe_profiles', call)
      }),
      runs,
    )
  })

  it('accept every subscription with the moment of its consent', async () => {
    const moments = { email: '2026-03-10T12:00:00.000Z', sms: '2026-03-10T12:05:00.000Z' }
    const messages = fc.array(arbitrarySubscription('WELCOME'), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(messages, async (subscriptions) => {
        const call = await sentBy((platform, options) =>
          platform.subscribe(
            subscriptions.map((message) => ({ ...message, consentedAt: moments })),
            options,
          ),
        )
        expectPublished('bulk_subscribe_profiles', call)
        const { data } = call.body as {
          data: {
            attributes: {
              historical_import: boolean
              profiles: { data: { attributes: { subscriptions: Record<string, object> } }[] }
            }
          }
        }
        expect(data.attributes.historical_import).toBe(true)
        for (const { attributes } of data.attributes.profiles.data) {
          for (const [channel, { marketing }] of Object.entries(
            attributes.subscriptions as Record<'email' | 'sms', { marketing: object }>,
          )) {
            const consentedAt = moments[channel as 'email' | 'sms']
            expect(marketing).toEqual({ consent: 'SUBSCRIBED', consented_at: consentedAt })
          }
        }
      }),
      runs,
    )
  })

  it('accept every end of a subscription that we send', async () => {
    const messages = fc.array(arbitrarySubscription('WELCOME'), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(messages, async (subscriptions) => {
        const ends = subscriptions.map(({ profile, channels }) => ({
          kind: 'unsubscribe' as const,
          profile,
          channels,
        }))
        const call = await sentBy((platform, options) => platform.unsubscribe(ends, options))
        expectPublished('bulk_unsubscribe_profiles', call)
      }),
      runs,
    )
  })

  it('know how we ask who has left, and who was changed', async () => {
    const from = new Date('2026-03-10T12:00:00Z')
    const questions: Make[] = [
      (platform, options) => platform.changedConsents({ walk: 'suppressed', from }, options),
      (platform, options) =>
        platform.changedConsents({ walk: 'updated', from, page: 'bmV4dA' }, options),
      (platform, options) =>
        platform.changedConsents({ walk: 'profiles', ids: ['01A', '01B'] }, options),
      (platform, options) => platform.findConsents([{ email: 'a@example.com' }], options),
      (platform, options) => platform.findConsents([{ phoneNumber: '+4366412345' }], options),
    ]
    for (const question of questions) {
      const call = await sentBy(question, none())
      expect(call.url.searchParams.has('filter')).toBe(true)
      expectPublished('get_profiles', call)
    }
  })

  it.each([{ email: 'a@example.com' }, { phoneNumber: '+4366412345' }])(
    'accept the deletion of %j',
    async (profile) => {
      const call = await sentBy((platform, options) => platform.deleteProfile(profile, options))
      expectPublished('request_profile_deletion', call)
    },
  )

  it('know how we ask for the account of a key', async () => {
    const call = await sentBy(
      (platform, options) => platform.checkAccount(options),
      json(401, { errors: [] }),
    )
    expectPublished('get_accounts', call)
  })

  it('have one for each call that the client can make', async () => {
    const calls = await everyCall()
    for (const call of calls) if (!isProbe(call)) expectPublished(documentNameOf(call), call)
    // A path that no call above has would be one that this test does not know of.
    const folder = new URL('../../../src/klaviyo/', import.meta.url)
    const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    const written = source.flatMap((text) => text.match(/(?<=['`])\/api\/[a-z-]+/g) ?? [])
    const called = calls.map(({ url }) => /\/api\/[a-z-]+/.exec(url.pathname)?.[0])
    expect(written.filter((path) => !called.includes(path))).toEqual([])
    expect(written.length).toBeGreaterThan(10)
  })

  it('refuse each body without data, with which the check of a key asks for scopes', async () => {
    const probes = (await everyCall()).filter(isProbe)
    expect(probes.length).toBeGreaterThan(0)
    for (const call of probes) expect(published(documentNameOf(call)).body?.({})).toBe(false)
  })

  it('name the scopes that the check of a key finds missing', async () => {
    const scopesOf = (call: ReceivedCall) => published(documentNameOf(call)).scopes
    const needed = new Set((await everyCall()).flatMap(scopesOf))
    for (const scope of needed) {
      const answer = (call: ReceivedCall) => {
        if (scopesOf(call).includes(scope)) return problem(403, undefined)
        return isProbe(call)
          ? problem(400, undefined)
          : json(200, { data: [{ id: 'A1', attributes: {} }] })
      }
      const { platform, options } = answering(...Array.from({ length: 10 }, () => answer))
      expect(await platform.checkAccount(options)).toMatchObject({ missingScopes: [scope] })
    }
  })

  it('allow as many calls as we make, and more', () => {
    const { calls } = klaviyoBounds
    for (const [name, document] of Object.entries(documentOf) as [CallName, DocumentName][]) {
      const { burst, steady } = published(document).limits
      expect(calls[name].burst, name).toBeLessThanOrEqual(burst)
      expect(calls[name].steady, name).toBeLessThanOrEqual(steady)
    }
  })

  it('accept every list add that we send', async () => {
    const call = await sentBy((platform, options) =>
      platform.addToList(['01ABC', '01DEF'], { ...options, list: 'VIPLIST' }),
    )
    expectPublished('add_profiles_to_list', call)
  })

  it('know each of our questions and its parameters', async () => {
    const empty = () => json(200, { data: [] })
    const found = await sentBy(
      (platform, options) => platform.findProfiles(['a@example.com'], options),
      empty(),
    )
    expectPublished('get_profiles', found)
    const lists = await sentBy((platform, options) => platform.lists(options), empty())
    expectPublished('get_lists', lists)
    const job = await sentBy((platform, options) => platform.importJob('J1', options), empty())
    expectPublished('get_bulk_import_profiles_job', job)
    const errors = await sentBy(
      (platform, options) => platform.importErrors('J1', { ...options, page: 'bmV4dA' }),
      empty(),
    )
    expectPublished('get_errors_for_bulk_import_profiles_job', errors)
  })

  const subscribers = [
    aSubscription({ profile: { email: 'a@example.com' } }),
    aSubscription({ profile: { phoneNumber: '+4366412345' }, channels: ['sms'] }),
  ]

  /** Both questions: by email and by phone number. */
  const membersAsked = async (...answers: Response[]) => {
    const { platform, asked, options } = answering(...answers)
    await platform.findSubscribed(subscribers, options)
    return asked
  }

  const none = () => json(200, { data: [] })

  it('know how we ask who is subscribed to a list', async () => {
    const asked = await membersAsked(none(), none())
    expect(asked).toHaveLength(2)
    for (const call of asked) expectPublished('get_profiles_for_list', call)
  })

  it('know how we ask for consent when the list is not there', async () => {
    const gone = () => json(404, {})
    const asked = await membersAsked(gone(), none(), gone(), none())
    const ofProfiles = asked.filter(({ url }) => url.pathname === '/api/profiles')
    expect(ofProfiles).toHaveLength(2)
    for (const call of ofProfiles) expectPublished('get_profiles', call)
  })

  it('refuse a body of ours that was broken on purpose', async () => {
    const call = await sentBy((platform, options) =>
      platform.saveProfile({ email: 'a@example.com' }, options),
    )
    const { body } = published('create_or_update_profile')
    const broken = JSON.stringify(call.body).replace('"a@example.com"', '7')
    expect(body?.(JSON.parse(broken))).toBe(false)
    const misspelt = JSON.stringify(call.body).replace('"email"', '"e_mail"')
    expect(body?.(JSON.parse(misspelt))).toBe(false)
  })
})

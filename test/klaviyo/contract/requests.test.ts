import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MarketingPlatform, CallOptions } from '../../../src/klaviyo/platform.js'
import { answering, json, type ReceivedCall } from '../../unit/klaviyo/answering.js'
import { arbitraryEvent, arbitraryProfile, arbitrarySubscription } from '../arbitrary-messages.js'
import { aSubscription } from '../messages.js'
import { contracts, published, publishedNames, type DocumentName } from './documents.js'

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

const compiled = new Map<DocumentName, ReturnType<typeof published>>()

function documentOf(name: DocumentName) {
  const document = compiled.get(name) ?? published(name)
  compiled.set(name, document)
  return document
}

/** Everything about the request that a document speaks of. */
function expectPublished(name: DocumentName, call: ReceivedCall): void {
  const { method, path, body, query } = documentOf(name)
  const pattern = path.replaceAll(/\{\w+\}/g, '[^/]+')
  expect(`${call.method} ${call.url.pathname}`).toMatch(new RegExp(`^${method} ${pattern}$`))
  expect(call.headers.get('revision')).toBe('2026-07-15')
  expect(body?.(call.body) === false ? body.errors : []).toEqual([])
  for (const [parameter, text] of call.url.searchParams) {
    const check = query.get(parameter)
    expect(check, `${parameter} is documented`).toBeDefined()
    const value = /\d/.test(text[0] ?? '') ? Number(text) : listOrText(parameter, text)
    expect(check?.(value) === false ? check.errors : [], parameter).toEqual([])
  }
}

/** Sparse fieldsets are lists with commas between. */
const listOrText = (parameter: string, text: string) =>
  /^(additional-)?fields\[/.test(parameter) ? text.split(',') : text

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
    const description = documentOf('get_profiles').descriptionOf('filter')
    for (const question of questions) {
      const call = await sentBy(question, none())
      expectPublished('get_profiles', call)
      const [, operator, field] =
        /^([a-z-]+)\(([a-z_.]+),/.exec(call.url.searchParams.get('filter') ?? '') ?? []
      const [, operators = ''] = description.split(`\`${field}\`: `)
      expect(operators.split('<br>')[0]).toContain(`\`${operator}\``)
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
    const made = new Set<string>()
    for (const make of Object.values(everything)) {
      const { platform, asked, options } = answering(
        ...Array.from({ length: 10 }, () => json(200, { data: [{ id: 'A1', attributes: {} }] })),
      )
      await make(platform, options)
      expect(asked.length).toBeGreaterThan(0)
      for (const { method, url } of asked) made.add(`${method} ${url.pathname}`)
    }
    const documents = publishedNames().map((name) => {
      const { method, path } = documentOf(name)
      return new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    })
    const hasNone = [...made].filter((call) => !documents.some((each) => each.test(call)))
    expect(hasNone).toEqual([])
    // A path that no call above has would be one that this test does not know of.
    const folder = new URL('../../../src/klaviyo/', import.meta.url)
    const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    const written = source.flatMap((text) => text.match(/(?<=['`])\/api\/[a-z-]+/g) ?? [])
    const called = [...made].map((call) => /\/api\/[a-z-]+/.exec(call)?.[0])
    expect(written.filter((path) => !called.includes(path))).toEqual([])
    expect(written.length).toBeGreaterThan(10)
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

  it('refuse each body without data, with which the check of a key asks for scopes', () => {
    for (const name of [
      'create_event',
      'create_or_update_profile',
      'bulk_import_profiles',
      'bulk_subscribe_profiles',
      'request_profile_deletion',
    ] as const) {
      expect(documentOf(name).body?.({}), name).toBe(false)
    }
  })

  it('refuse a body of ours that was broken on purpose', async () => {
    const call = await sentBy((platform, options) =>
      platform.saveProfile({ email: 'a@example.com' }, options),
    )
    const { body } = documentOf('create_or_update_profile')
    const broken = JSON.stringify(call.body).replace('"a@example.com"', '7')
    expect(body?.(JSON.parse(broken))).toBe(false)
    const misspelt = JSON.stringify(call.body).replace('"email"', '"e_mail"')
    expect(body?.(JSON.parse(misspelt))).toBe(false)
  })
})

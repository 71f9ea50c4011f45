import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callNames, calls, type CallName, type Scope } from '../../../../dev/klaviyo/calls.ts'
import { contracts, published } from '../../../../dev/klaviyo/published.ts'
import {
  allScopes,
  callScopes,
  keyFeatures,
  scopesOf,
  type KeyFeatureName,
} from '../../../../src/marketing/klaviyo/key-scopes.js'
import { callLimits } from '../../../../src/marketing/klaviyo/limits.js'
import type { SubscribeMessage } from '../../../../src/marketing/klaviyo/message.js'
import type { CallOptions } from '../../../../src/marketing/klaviyo/call-answer.js'
import type { Klaviyo } from '../../../../src/marketing/klaviyo/klaviyo.js'
import {
  answering,
  json,
  problem,
  type ReceivedCall,
} from '../../../unit/marketing/klaviyo/answering.js'
import { arbitraryEvent, arbitraryProfile, arbitrarySubscription } from '../arbitrary-messages.js'
import { aSubscription } from '../messages.js'
import { callNameOf, expectPublished } from './expect-published.js'

const runs = { numRuns: 300 }

type Make = (klaviyo: Klaviyo, options: CallOptions) => Promise<unknown>

/** What leaves for Klaviyo when a call is made. */
async function sentBy(
  make: Make,
  answer = json(202, { data: { id: 'J' } }),
): Promise<ReceivedCall> {
  const { klaviyo, asked, options } = answering(answer)
  await make(klaviyo, options)
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
const waitingFor = ({ profile, channels }: Pick<SubscribeMessage, 'profile' | 'channels'>) => ({
  profile,
  channels,
  kind: 'back-in-stock' as const,
  variant: 'product-7',
  product: 'Green tea',
})
const ofList = (options: CallOptions) => ({ ...options, list: 'VIPLIST' })

const catalogEntry = {
  id: '7',
  attributes: {
    title: 'Green tea',
    description: 'Green tea',
    url: 'https://shop.test/products/green-tea',
    image_full_url: 'https://shop.test/tea.png',
    price: 12.5,
    published: true,
    custom_metadata: { currency: 'EUR', shop: 'shop.test' },
  },
}

const catalogVariant = {
  ...catalogEntry,
  item: '7',
  attributes: {
    ...catalogEntry.attributes,
    sku: 'TEA-1',
    inventory_quantity: 3,
    inventory_policy: 1,
  },
}

const catalogJobs: Parameters<Klaviyo['startCatalogJob']>[0][] = [
  { kind: 'category', verb: 'create', entries: [{ id: 'tea', attributes: { name: 'Tea' } }] },
  { kind: 'item', verb: 'create', entries: [{ ...catalogEntry, categories: ['tea'] }] },
  { kind: 'item', verb: 'update', entries: [{ ...catalogEntry, categories: [] }] },
  { kind: 'item', verb: 'delete', entries: [catalogEntry] },
  { kind: 'variant', verb: 'create', entries: [catalogVariant] },
  { kind: 'variant', verb: 'update', entries: [catalogVariant] },
  { kind: 'variant', verb: 'delete', entries: [catalogVariant] },
]

/** Klaviyo publishes no documents of the others. */
const isKnown = (kind: string, verb: string) =>
  kind === 'item' || (kind === 'variant' && verb === 'create')

/** Each call that the client can make. */
const everything: Record<keyof Klaviyo, Make> = {
  trackEvent: (klaviyo, options) => klaviyo.trackEvent(event, options),
  trackEvents: (klaviyo, options) => klaviyo.trackEvents([event], options),
  saveProfile: (klaviyo, options) => klaviyo.saveProfile(profile, options),
  subscribe: (klaviyo, options) => klaviyo.subscribe([aSubscription()], options),
  unsubscribe: (klaviyo, options) =>
    klaviyo.unsubscribe([{ kind: 'unsubscribe', profile, channels: ['email'] }], options),
  askForBackInStock: (klaviyo, options) =>
    klaviyo.askForBackInStock(waitingFor({ profile, channels: ['email'] }), options),
  deleteProfile: (klaviyo, options) => klaviyo.deleteProfile(profile, options),
  findConsents: (klaviyo, options) => klaviyo.findConsents([profile], options),
  changedConsents: (klaviyo, options) =>
    klaviyo.changedConsents({ walk: 'updated', from: at }, options),
  addToList: (klaviyo, options) => klaviyo.addToList(['01ABC'], ofList(options)),
  findProfiles: (klaviyo, options) => klaviyo.findProfiles(['a@example.com'], options),
  findSubscribed: (klaviyo, options) => klaviyo.findSubscribed([aSubscription()], options),
  lists: (klaviyo, options) => klaviyo.lists(options),
  mappedMetrics: (klaviyo, options) => klaviyo.mappedMetrics(options),
  mapMetric: (klaviyo, options) =>
    klaviyo.mapMetric({ ...options, slot: 'revenue', metric: '01ABC' }),
  startCatalogJob: async (klaviyo, options) => {
    for (const job of catalogJobs) await klaviyo.startCatalogJob(job, options)
  },
  readCatalogJob: async (klaviyo, options) => {
    for (const { kind, verb } of catalogJobs.filter(({ kind, verb }) => isKnown(kind, verb)))
      await klaviyo.readCatalogJob({ kind, verb, job: '01ABC' }, options)
  },
  findCatalogEntries: async (klaviyo, options) => {
    for (const kind of ['item', 'variant'] as const)
      await klaviyo.findCatalogEntries({ kind, ids: ['7', '8'] }, options)
  },
  catalogPage: async (klaviyo, options) => {
    for (const kind of ['item', 'variant'] as const)
      for (const cursor of [undefined, 'bmV4dA'])
        await klaviyo.catalogPage({ kind, cursor }, options)
  },
  createCoupon: (klaviyo, options) => klaviyo.createCoupon({ id: 'TEA' }, options),
  startCouponJob: (klaviyo, options) =>
    klaviyo.startCouponJob(
      { coupon: 'TEA', codes: [{ code: 'TEA-0001', expiresAt: at }] },
      options,
    ),
  readCouponJob: (klaviyo, options) => klaviyo.readCouponJob('01ABC', options),
  readFreeCodes: (klaviyo, options) =>
    klaviyo.readFreeCodes({ coupon: 'TEA', cursor: 'bmV4dA' }, options),
  markCodeUsed: (klaviyo, options) =>
    klaviyo.markCodeUsed({ coupon: 'TEA', code: 'TEA-0001' }, options),
  checkAccount: (klaviyo, options) => klaviyo.checkAccount(options),
}

async function everyCall(): Promise<ReceivedCall[]> {
  const calls: ReceivedCall[] = []
  for (const make of Object.values(everything)) {
    const { klaviyo, asked, options } = answering(
      ...Array.from({ length: 10 }, () => json(200, { data: [{ id: 'A1', attributes: {} }] })),
    )
    await make(klaviyo, options)
    expect(asked.length).toBeGreaterThan(0)
    calls.push(...asked)
  }
  return calls
}

/** Of coupons there are no documents here. */
const isDescribed = (name: CallName): boolean => calls[name].document !== undefined

/** What the document of a call says, or what the stand-in has from Klaviyo's reference. */
const factsOf = (name: CallName) => (isDescribed(name) ? published(name) : calls[name])

/** With a body without data, the check of a key asks for the scopes of a call. */
const isProbe = ({ body }: ReceivedCall): boolean => JSON.stringify(body) === '{}'

describe.skipIf(!contracts)("The platform's published documents (needs CONTRACTS_DIR)", () => {
  /** Every batch of so many. */
  const several = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 1, maxLength: 8 })
  const subscriptions = several(arbitrarySubscription('WELCOME'))
  const moments = { email: '2026-03-10T12:00:00.000Z', sms: '2026-03-10T12:05:00.000Z' }
  const bodies: [CallName, what: string, fc.Arbitrary<Make>][] = [
    ['event', 'event', arbitraryEvent.map((event) => (to, o) => to.trackEvent(event, o))],
    [
      'events',
      'batch of events',
      several(arbitraryEvent).map((events) => (to, o) => to.trackEvents(events, o)),
    ],
    ['profile', 'profile', arbitraryProfile.map((saved) => (to, o) => to.saveProfile(saved, o))],
    [
      'subscribe',
      'subscription',
      subscriptions.map((messages) => (to, o) => to.subscribe(messages, o)),
    ],
    [
      'unsubscribe',
      'end of a subscription',
      subscriptions.map((messages) => (to, o) => to.unsubscribe(messages.map(endOf), o)),
    ],
    [
      'back-in-stock',
      'person who waits for a product',
      arbitrarySubscription('').map((who) => (to, o) => to.askForBackInStock(waitingFor(who), o)),
    ],
  ]
  const endOf = ({ profile, channels }: SubscribeMessage) => ({
    kind: 'unsubscribe' as const,
    profile,
    channels,
  })

  it.each(bodies)('accept by %s every %s that we send', async (name, _, makes) => {
    await fc.assert(
      fc.asyncProperty(makes, async (make) => expectPublished(name, await sentBy(make))),
      runs,
    )
  })

  it('accept every subscription with the moment of its consent', async () => {
    await fc.assert(
      fc.asyncProperty(subscriptions, async (messages) => {
        const consented = messages.map((message) => ({ ...message, consentedAt: moments }))
        const call = await sentBy((klaviyo, options) => klaviyo.subscribe(consented, options))
        expectPublished('subscribe', call)
        expect(call.body).toHaveProperty('data.attributes.historical_import', true)
        const said = JSON.stringify(call.body)
        for (const { channels } of messages) {
          for (const channel of channels) {
            const consent = { consent: 'SUBSCRIBED', consented_at: moments[channel] }
            expect(said).toContain(
              JSON.stringify({ [channel]: { marketing: consent } }).slice(1, -1),
            )
          }
        }
      }),
      runs,
    )
  })

  it('know each of our questions and its parameters', async () => {
    const from = new Date('2026-03-10T12:00:00Z')
    const page = 'bmV4dA'
    const questions: [CallName, Make][] = [
      ['find-profiles', (to, o) => to.changedConsents({ walk: 'suppressed', from }, o)],
      ['find-profiles', (to, o) => to.changedConsents({ walk: 'updated', from, page }, o)],
      [
        'find-profiles',
        (to, o) => to.changedConsents({ walk: 'profiles', ids: ['01A', '01B'] }, o),
      ],
      ['find-profiles', (to, o) => to.findConsents([{ phoneNumber: '+4366412345' }], o)],
      ['delete-profile', (to, o) => to.deleteProfile({ phoneNumber: '+4366412345' }, o)],
    ]
    for (const [name, question] of questions) {
      const call = await sentBy(question, none())
      expectPublished(name, call)
      expect(call.url.searchParams.has('filter')).toBe(name === 'find-profiles')
    }
  })

  it('have one for each call that the client can make', async () => {
    const calls = await everyCall()
    for (const call of calls) {
      const name = callNameOf(call)
      if (!isProbe(call) && isDescribed(name)) expectPublished(name, call)
    }
    // A path that no call above has would be one that this test does not know of.
    const folder = new URL('../../../../src/marketing/klaviyo/', import.meta.url)
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
    for (const call of probes) expect(published(callNameOf(call)).body?.({})).not.toEqual([])
  })

  it('name the scopes that the check of a key finds missing', async () => {
    const scopesOfCall = (call: ReceivedCall): readonly Scope[] => factsOf(callNameOf(call)).scopes
    const needed = new Set((await everyCall()).flatMap(scopesOfCall))
    expect([...needed].sort()).toEqual([...allScopes].sort())
    // Klaviyo takes 30 calls a day that need it.
    needed.delete('metrics:write')
    for (const scope of needed) {
      const answer = (call: ReceivedCall) => {
        if (scopesOfCall(call).includes(scope)) return problem(403, undefined)
        return isProbe(call)
          ? problem(400, undefined)
          : json(200, { data: [{ id: 'A1', attributes: {} }] })
      }
      const { klaviyo, options } = answering(...Array.from({ length: 14 }, () => answer))
      const asked = { ...options, hasCoupons: true }
      expect(await klaviyo.checkAccount(asked)).toMatchObject({ missingScopes: [scope] })
    }
  })

  const shared = (names: string) =>
    callNames.filter((name) => new RegExp(`api.*catalog-.*${names}`).test(calls[name].path.source))
  const documents: Partial<Record<string, CallName[]>> = {
    'catalog-job': shared('-jobs\\$'),
    'catalog-state': shared('-jobs.+\\$'),
    'catalog-list': ['catalog-items', 'catalog-variants'],
  }

  it('need the scopes that the shop names', () => {
    for (const [name, scopes] of Object.entries(callScopes)) {
      for (const document of documents[name] ?? [name as CallName])
        expect([...scopes].sort(), document).toEqual([...factsOf(document).scopes].sort())
    }
    const ofPages = ['account', 'lists', 'metrics', 'mapped-metrics', 'map-metric'] as const
    const features = Object.keys(keyFeatures) as KeyFeatureName[]
    expect(new Set(features.flatMap(scopesOf))).toEqual(
      new Set([
        ...Object.values(callScopes).flat(),
        ...ofPages.flatMap((name) => published(name).scopes),
      ]),
    )
  })

  it('allow as many calls as we make, and more', () => {
    for (const [name, ours] of Object.entries(callLimits)) {
      for (const document of documents[name] ?? [name as CallName]) {
        const { burst, steady } = factsOf(document).limits
        expect(ours.burst, document).toBeLessThanOrEqual(burst)
        expect(ours.steady, document).toBeLessThanOrEqual(steady)
      }
    }
  })

  const none = () => json(200, { data: [] })
  const gone = () => json(404, {})

  it.each<[what: string, CallName, answers: Response[]]>([
    ['is subscribed to a list', 'find-subscribed', [none(), none()]],
    ['consented when the list is gone', 'find-profiles', [gone(), none(), gone(), none()]],
  ])('know how we ask who %s', async (_, name, answers) => {
    const { klaviyo, asked, options } = answering(...answers)
    const subscribers = [
      aSubscription({ profile: { email: 'a@example.com' } }),
      aSubscription({ profile: { phoneNumber: '+4366412345' }, channels: ['sms'] }),
    ]
    await klaviyo.findSubscribed(subscribers, options)
    const questions = asked.filter((call) => callNameOf(call) === name)
    expect(questions).toHaveLength(2)
    for (const call of questions) expectPublished(name, call)
  })

  it('refuse a body of ours that was broken on purpose', async () => {
    const call = await sentBy((klaviyo, options) =>
      klaviyo.saveProfile({ email: 'a@example.com' }, options),
    )
    const { body } = published('profile')
    const broken = JSON.stringify(call.body).replace('"a@example.com"', '7')
    expect(body?.(JSON.parse(broken))).not.toEqual([])
    const misspelt = JSON.stringify(call.body).replace('"email"', '"e_mail"')
    expect(body?.(JSON.parse(misspelt))).not.toEqual([])
  })
})

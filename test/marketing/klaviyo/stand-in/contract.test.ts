import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bodies } from '../../../../dev/klaviyo/bodies.ts'
import { calls, callNames, type CallName } from '../../../../dev/klaviyo/calls.ts'
import { contracts, published } from '../../../../dev/klaviyo/published.ts'
import { answerProblems } from '../contract/expect-published.js'
import { arbitraryRequest, changedRequest } from './arbitrary-request.fixture.js'
import {
  aDeletion,
  anEvent,
  anUnsubscription,
  aProfile,
  aWish,
  aStandIn,
  aSubscription,
  dataOf,
  listOf,
  manyEvents,
  paths,
  pointersOf,
  references,
} from './stand-in.fixture.js'

const withRequests: [name: keyof Bodies, path: string, without?: string[]][] = [
  ['event', paths.event],
  ['events', paths.events],
  ['profile', paths.profile],
  ['subscribe', paths.subscribe],
  ['unsubscribe', paths.unsubscribe],
  ['delete-profile', paths.deletion, ['phone_number']],
  ['list-members', paths.members('VIPLIST')],
]

const ownId = '$custom:::$default:::7'
const entry = { title: 'Tea', description: 'Tea', url: 'https://shop.test/tea' }
const ofItems = ['item', 'items'] as const
const ofVariants = ['variant', 'variants'] as const
const kinds = [['category', 'categories'] as const, ofItems, ofVariants]
const job = (kind: string, verb: string) => `/api/catalog-${kind}-bulk-${verb}-jobs`
const bodyOf = ([kind, plural]: readonly [string, string], entry: object, verb = 'create') => ({
  body: {
    data: {
      type: `catalog-${kind}-bulk-${verb}-job`,
      attributes: { [plural]: { data: [{ type: `catalog-${kind}`, ...entry }] } },
    },
  },
})

const leaving = {
  email: 'bob@shop.test',
  subscriptions: { email: { marketing: { consent: 'UNSUBSCRIBED' } } },
}

const suppressedAt = 'subscriptions.email.marketing.suppression.timestamp'

async function withOneProfile() {
  const klaviyo = aStandIn({ limits: 'none' })
  const saved = await klaviyo.call(paths.profile, {
    body: { data: aProfile({ email: 'ada@shop.test', properties: { tea: 'green' } }) },
  })
  return { klaviyo, profileId: dataOf(saved).id }
}

describe.skipIf(!contracts)('By the published documents (needs CONTRACTS_DIR) the stand-in', () => {
  it.each(withRequests)('takes every request that %s allows', async (name, path, without) => {
    const document = published(name)
    const { klaviyo, profileId } = await withOneProfile()
    await fc.assert(
      fc.asyncProperty(arbitraryRequest(document, { profileId, without }), async (body) => {
        expect(document.body?.(JSON.parse(JSON.stringify(body)))).toEqual([])
        const answer = await klaviyo.call(path, { body })
        expect([answer.status, answer.document?.errors]).toEqual([
          expect.toSatisfy((status: number) => status >= 200 && status <= 299),
          undefined,
        ])
        expect(answerProblems(name, answer.status, answer.document)).toEqual([])
      }),
      { numRuns: 100, seed: 11 },
    )
  })

  it.each(withRequests)(
    'refuses every request that %s does not allow',
    async (name, path, without) => {
      const document = published(name)
      const { klaviyo, profileId } = await withOneProfile()
      let refused = 0
      await fc.assert(
        fc.asyncProperty(
          arbitraryRequest(document, { profileId, without }).chain(changedRequest),
          async (changed) => {
            const body: unknown = JSON.parse(JSON.stringify(changed))
            const answer = await klaviyo.call(path, { body })
            expect(answerProblems(name, answer.status, answer.document)).toEqual([])
            if (document.body?.(body).length === 0) return
            refused += 1
            expect({ body, status: answer.status }).toEqual({ body, status: 400 })
          },
        ),
        { numRuns: 250, seed: 12 },
      )
      expect(refused).toBeGreaterThan(60)
    },
  )

  it.each([
    ['location', { town: 'Wien' }, '/data/attributes/location/town'],
    ['__proto__', 'yes', '/data/attributes/__proto__'],
  ])('refuses %s %j, and says where', async (name, value, pointer) => {
    const attributes = JSON.stringify(value)
    const body = `{"data":{"type":"profile","attributes":{"external_id":"7","${name}":${attributes}}}}`
    const answer = await aStandIn().call(paths.profile, { body })
    expect([answer.status, pointersOf(answer)]).toEqual([400, [pointer]])
  })

  it.each([
    ['/api/lists?shoes=1', 'shoes'],
    ['/api/profiles?fields[profile]=email,shoe_size', 'fields[profile]'],
    ['/api/profiles?additional-fields[profile]=shoes', 'additional-fields[profile]'],
  ])('refuses %s, and says which parameter', async (path, parameter) => {
    const answer = await aStandIn().call(path)
    expect([answer.status, pointersOf(answer)]).toEqual([400, [parameter]])
  })

  it('answers as they say', async () => {
    const { klaviyo, profileId } = await withOneProfile()
    const subscribed = aSubscription([{ email: 'ada@shop.test' }], { list: 'WELCOME' })
    await klaviyo.call(paths.subscribe, { body: subscribed })
    klaviyo.people.suppress(profileId, 'HARD_BOUNCE')
    await klaviyo.call(paths.event, { body: anEvent() })
    klaviyo.settle()
    const [metric] = listOf(await klaviyo.call('/api/metrics'))
    const relationships = { metric: { data: { type: 'metric', id: metric?.id } } }
    const mapping = { data: { type: 'mapped-metric', id: 'revenue', relationships } }
    const aMapping = { method: 'PATCH', body: mapping }
    const answers: [CallName, string, object?][] = [
      ['event', paths.event, { body: anEvent() }],
      ['events', paths.events, { body: manyEvents([{}]) }],
      ['subscribe', paths.subscribe, { body: subscribed }],
      ['unsubscribe', paths.unsubscribe, { body: anUnsubscription([leaving]) }],
      [
        'delete-profile',
        paths.deletion,
        { body: aDeletion({ attributes: { email: 'bob@shop.test' } }) },
      ],
      ['list-members', paths.members('VIPLIST'), { body: references(profileId) }],
      ['account', '/api/accounts'],
      ['metrics', '/api/metrics'],
      ['mapped-metrics', '/api/mapped-metrics?include=metric'],
      ['map-metric', '/api/mapped-metrics/revenue', aMapping],
      ['mapped-metrics', '/api/mapped-metrics'],
      ['list', '/api/lists/VIPLIST'],
      ['list', '/api/lists/VIPLIST?additional-fields[list]=profile_count'],
      ['lists', '/api/lists?page[size]=1'],
      ['find-subscribed', '/api/lists/WELCOME/profiles?additional-fields[profile]=subscriptions'],
      ['find-profiles', '/api/profiles?page[size]=1'],
      ['find-profiles', '/api/profiles?additional-fields[profile]=subscriptions'],
      ['find-profiles', '/api/profiles?fields[profile]=email'],
      [
        'find-profiles',
        `/api/profiles?additional-fields[profile]=subscriptions&sort=-${suppressedAt}&filter=greater-than(${suppressedAt},2020-01-01T00:00:00Z)`,
      ],
    ]
    const catalog: [CallName, string, object?][] = []
    for (const [kind, plural] of kinds) {
      const item = { data: { type: 'catalog-item', id: ownId } }
      const of = { item: {}, category: {}, variant: { relationships: { item } } }[kind]
      const attributes = { external_id: '7', ...(kind === 'category' ? { name: 'Tea' } : entry) }
      const sold = kind === 'variant' && { sku: 'TEA', inventory_quantity: 1, price: 1 }
      const created = { attributes: { ...attributes, ...sold }, ...of }
      catalog.push([`create-${plural}`, job(kind, 'create'), bodyOf([kind, plural], created)])
      if (kind === 'category') continue
      const updated = { id: ownId, attributes: { title: 'Tea' } }
      catalog.push([
        `update-${plural}`,
        job(kind, 'update'),
        bodyOf([kind, plural], updated, 'update'),
      ])
    }
    catalog.push(['back-in-stock', paths.backInStock, { body: aWish(ownId) }])
    for (const [kind, plural] of [ofVariants, ofItems]) {
      catalog.push([`catalog-${plural}`, `/api/catalog-${plural}?page[size]=1`])
      catalog.push([`catalog-${plural}`, `/api/catalog-${plural}?filter=any(ids,["${ownId}"])`])
      const deleted = bodyOf([kind, plural], { id: ownId }, 'delete')
      catalog.push([`delete-${plural}`, job(kind, 'delete'), deleted])
      catalog.push([`delete-${plural}`, job(kind, 'delete'), deleted])
    }
    for (const [name, path, init] of [...answers, ...catalog]) {
      const answer = await klaviyo.call(path, init)
      expect(answer.status, path).toBeLessThan(300)
      expect(answerProblems(name, answer.status, answer.document)).toEqual([])
    }
  })

  it('answers the states of jobs as they say, with the errors of what they did not take', async () => {
    const klaviyo = aStandIn({ limits: 'none' })
    const states = [
      ['created-items', 'item', 'items', 'create', { attributes: { ...entry, external_id: '7' } }],
      ['updated-items', 'item', 'items', 'update', { id: ownId, attributes: entry }],
      ['deleted-items', 'item', 'items', 'delete', { id: ownId }],
    ] as const
    for (const [name, kind, plural, verb, input] of states) {
      const made = bodyOf([kind, plural], input, verb)
      await klaviyo.call(job(kind, verb), made)
      const { id } = dataOf(await klaviyo.call(job(kind, verb), made))
      const answer = await klaviyo.call(`${job(kind, verb)}/${id}`)
      expect(answerProblems(name, answer.status, answer.document)).toEqual([])
      const errors = { create: ['duplicate_object'], update: [], delete: ['not_found'] }[verb]
      expect(dataOf(answer).attributes).toMatchObject({
        status: 'complete',
        failed_count: errors.length,
        errors: errors.map((code) => ({ code })),
      })
    }
    const variant = { ...entry, external_id: '8', sku: 'TEA', inventory_quantity: 1, price: 1 }
    const relationships = { item: { data: { type: 'catalog-item', id: ownId } } }
    const orphan = bodyOf(ofVariants, { attributes: variant, relationships })
    const { id } = dataOf(await klaviyo.call(job('variant', 'create'), orphan))
    const answer = await klaviyo.call(`${job('variant', 'create')}/${id}`)
    expect(answerProblems('other-catalog-job', answer.status, answer.document)).toEqual([])
    expect(dataOf(answer).attributes).toMatchObject({ failed_count: 1 })
  })

  it('has their methods, scopes and limits', () => {
    for (const name of callNames) {
      const { method, path, scopes, limits } = calls[name]
      // Of coupons there are no documents here.
      if (calls[name].document === undefined) continue
      const document = published(name)
      expect(document.method, name).toBe(method)
      expect(document.path, name).toMatch(path)
      expect([...scopes].sort(), name).toEqual([...document.scopes].sort())
      expect(limits, name).toEqual(document.limits)
    }
  })

  it('answers errors as they say', async () => {
    const { klaviyo } = await withOneProfile()
    const get = async (init: object = {}, query = '') => {
      const answer = await klaviyo.call(`/api/lists${query}`, init)
      expect(answerProblems('lists', answer.status, answer.document)).toEqual([])
      return answer.status
    }
    const statuses = [
      await get({}, '?page[size]=0'),
      await get({ headers: { authorization: '' } }),
      await get({ headers: { revision: '' } }),
    ]
    for (const kind of ['wrong-key', 'forbidden', 'throttle', 'error'] as const) {
      klaviyo.faults.add({ kind, times: 1 })
      statuses.push(await get())
    }
    expect(statuses).toEqual([400, 401, 400, 401, 403, 429, 500])
  })
})

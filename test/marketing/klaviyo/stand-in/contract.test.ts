import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calls, callNames } from '../../../../dev/klaviyo/calls.ts'
import { published, publishedNames } from '../contract/documents.js'
import { arbitraryRequest, changedRequest } from './arbitrary-request.fixture.js'
import { publishedDocument } from './published-document.fixture.js'
import {
  aDeletion,
  anEvent,
  anUnsubscription,
  aProfile,
  aStandIn,
  aSubscription,
  dataOf,
  listOf,
  manyEvents,
  paths,
  references,
} from './stand-in.fixture.js'

const withRequests: [name: string, path: string, without?: string[]][] = [
  ['create_event', paths.event],
  ['bulk_create_events', paths.events],
  ['create_or_update_profile', paths.profile],
  ['bulk_subscribe_profiles', paths.subscribe],
  ['bulk_unsubscribe_profiles', paths.unsubscribe],
  ['request_profile_deletion', paths.deletion, ['phone_number']],
  ['add_profiles_to_list', paths.members('VIPLIST')],
]

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

describe.skipIf(!process.env.CONTRACTS_DIR)(
  'By the published documents (needs CONTRACTS_DIR) the stand-in',
  () => {
    it.each(withRequests)('takes every request that %s allows', async (name, path, without) => {
      const document = publishedDocument(name)
      const { klaviyo, profileId } = await withOneProfile()
      await fc.assert(
        fc.asyncProperty(arbitraryRequest(document, { profileId, without }), async (body) => {
          expect(document.requestProblems(JSON.parse(JSON.stringify(body)))).toEqual([])
          const answer = await klaviyo.call(path, { body })
          expect([answer.status, answer.document?.errors]).toEqual([
            expect.toSatisfy((status: number) => status >= 200 && status <= 299),
            undefined,
          ])
          expect(document.answerProblems(answer.status, answer.document)).toEqual([])
        }),
        { numRuns: 100, seed: 11 },
      )
    })

    it.each(withRequests)(
      'refuses every request that %s does not allow',
      async (name, path, without) => {
        const document = publishedDocument(name)
        const { klaviyo, profileId } = await withOneProfile()
        let refused = 0
        await fc.assert(
          fc.asyncProperty(
            arbitraryRequest(document, { profileId, without }).chain(changedRequest),
            async (changed) => {
              const body: unknown = JSON.parse(JSON.stringify(changed))
              const answer = await klaviyo.call(path, { body })
              expect(document.answerProblems(answer.status, answer.document)).toEqual([])
              if (document.requestProblems(body).length === 0) return
              refused += 1
              expect({ body, status: answer.status }).toEqual({ body, status: 400 })
            },
          ),
          { numRuns: 250, seed: 12 },
        )
        expect(refused).toBeGreaterThan(60)
      },
    )

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
      const answers: [string, string, object?][] = [
        ['create_event', paths.event, { body: anEvent() }],
        ['bulk_create_events', paths.events, { body: manyEvents([{}]) }],
        ['bulk_subscribe_profiles', paths.subscribe, { body: subscribed }],
        ['bulk_unsubscribe_profiles', paths.unsubscribe, { body: anUnsubscription([leaving]) }],
        [
          'request_profile_deletion',
          paths.deletion,
          { body: aDeletion({ attributes: { email: 'bob@shop.test' } }) },
        ],
        ['add_profiles_to_list', paths.members('VIPLIST'), { body: references(profileId) }],
        ['get_accounts', '/api/accounts'],
        ['get_metrics', '/api/metrics'],
        ['get_mapped_metrics', '/api/mapped-metrics?include=metric'],
        ['update_mapped_metric', '/api/mapped-metrics/revenue', aMapping],
        ['get_mapped_metrics', '/api/mapped-metrics'],
        ['get_list', '/api/lists/VIPLIST'],
        ['get_list', '/api/lists/VIPLIST?additional-fields[list]=profile_count'],
        ['get_lists', '/api/lists?page[size]=1'],
        [
          'get_profiles_for_list',
          '/api/lists/WELCOME/profiles?additional-fields[profile]=subscriptions',
        ],
        ['get_profiles', '/api/profiles?page[size]=1'],
        ['get_profiles', '/api/profiles?additional-fields[profile]=subscriptions'],
        ['get_profiles', '/api/profiles?fields[profile]=email'],
        [
          'get_profiles',
          `/api/profiles?additional-fields[profile]=subscriptions&sort=-${suppressedAt}&filter=greater-than(${suppressedAt},2020-01-01T00:00:00Z)`,
        ],
      ]
      for (const [name, path, init] of answers) {
        const answer = await klaviyo.call(path, init)
        expect(answer.status, path).toBeLessThan(300)
        expect(publishedDocument(name).answerProblems(answer.status, answer.document)).toEqual([])
      }
    })

    it('has their methods, scopes and limits', () => {
      const known = publishedNames().flatMap((name) => {
        const { method, path, scopes, limits } = published(name)
        const found = callNames.find(
          (call) => calls[call].method === method && calls[call].path.test(path),
        )
        return found ? [{ found, scopes, limits }] : []
      })
      expect(known.map(({ found }) => found).sort()).toEqual([...callNames].sort())
      for (const { found, scopes, limits } of known) {
        expect([...calls[found].scopes].sort(), found).toEqual([...scopes].sort())
        expect(calls[found].limits, found).toEqual(limits)
      }
    })

    it('answers errors as they say', async () => {
      const { klaviyo } = await withOneProfile()
      const document = publishedDocument('get_lists')
      const get = async (init: object = {}, query = '') => {
        const answer = await klaviyo.call(`/api/lists${query}`, init)
        expect(document.answerProblems(answer.status, answer.document)).toEqual([])
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
  },
)

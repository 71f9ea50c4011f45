import { describe, expect, it } from 'vitest'
import type { StandInOptions } from '../../../../dev/klaviyo/stand-in.ts'
import {
  anEvent,
  anUnsubscription,
  aProfile,
  aStandIn,
  aSubscription,
  codesOf,
  dataOf,
  listOf,
  manyEvents,
  paths,
  pointersOf,
  references,
  START,
  type Answered,
} from './stand-in.fixture.js'

describe('A call', () => {
  const lists = async (init: object, options: StandInOptions = {}) => {
    const answer = await aStandIn(options).call('/api/lists', init)
    return [answer.status, ...codesOf(answer)]
  }

  it('needs a key that has the scope, a revision and a body that is JSON', async () => {
    const unknown = [401, 'not_authenticated']
    expect(await lists({ headers: { authorization: '' } })).toEqual(unknown)
    expect(await lists({ headers: { authorization: 'Klaviyo-API-Key pk_wrong' } })).toEqual(unknown)
    const apiKeys = { pk_stand_in_demo_key: ['events:write' as const] }
    expect(await lists({}, { apiKeys })).toEqual([403, 'permission_denied'])
    for (const revision of ['', '2026-7-15', '2026-07-16', 'latest']) {
      const answer = await aStandIn().call('/api/lists', { headers: { revision } })
      expect([answer.status, pointersOf(answer)]).toEqual([400, ['revision']])
    }
    const broken = await aStandIn().call(paths.event, { body: '{"secret":' })
    expect([broken.status, codesOf(broken)]).toEqual([400, ['parse_error']])
    expect(JSON.stringify(broken.document)).not.toContain('secret')
  })

  it('over 5 MB is 413, to another path 404, with another method 405 with what is allowed', async () => {
    const klaviyo = aStandIn()
    const body = ' '.repeat(5 * 1024 * 1024) + JSON.stringify(anEvent())
    expect((await klaviyo.call(paths.event, { body })).status).toBe(413)
    expect((await klaviyo.call('/api/campaigns')).status).toBe(404)
    const answer = await klaviyo.call('/api/events')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('The rate limits', () => {
  const limits = { lists: { burst: 3, steady: 5 } }
  const limitOf = ({ headers }: Answered) =>
    ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))

  it('refuse more than the burst in a second, and say when to come back', async () => {
    const klaviyo = aStandIn({ limits, random: () => 0 })
    const unknown = { headers: { authorization: '' } }
    expect((await klaviyo.call('/api/lists', unknown)).status).toBe(401)
    expect(limitOf(await klaviyo.call('/api/lists'))).toEqual(['5', '4', '60'])
    for (const status of [200, 200, 429]) {
      expect((await klaviyo.call('/api/lists')).status).toBe(status)
    }
    expect((await klaviyo.call('/api/lists/VIPLIST')).status).toBe(200)
    const refused = await klaviyo.call('/api/lists')
    expect([codesOf(refused), refused.headers.get('retry-after')]).toEqual([['throttled'], '1'])
    expect(limitOf(refused)[0]).toBeNull()
    klaviyo.pass(1)
    expect((await klaviyo.call('/api/lists')).status).toBe(200)
    expect(klaviyo.state.throttled).toBe(2)
  })

  it('refuse more than the steady limit until the minute is over', async () => {
    const klaviyo = aStandIn({ limits, random: () => 0 })
    klaviyo.at(Math.ceil(START / 60_000) * 60_000)
    for (let at = 0; at < 5; at += 1) {
      expect((await klaviyo.call('/api/lists')).status).toBe(200)
      klaviyo.pass(1)
    }
    const refused = await klaviyo.call('/api/lists')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '55'])
    klaviyo.pass(55)
    expect((await klaviyo.call('/api/lists')).status).toBe(200)
  })
})

describe('The size of a call', () => {
  const each = <Item>(count: number, make: (at: number) => Item) =>
    Array.from({ length: count }, (_, at) => make(at))
  const emails = (count: number) => each(count, (at) => ({ email: `p${at}@shop.test` }))
  const marketing = { consent: 'UNSUBSCRIBED' }
  const leaving = { email: 'ada@shop.test', subscriptions: { email: { marketing } } }

  it.each<[items: number, path: string, body: (count: number) => unknown]>([
    [
      1_000,
      paths.events,
      (count) => manyEvents(each(count, (at) => ({ event: { unique_id: `u${at}` } }))),
    ],
    [1_000, paths.subscribe, (count) => aSubscription(emails(count), { list: 'VIPLIST' })],
    [100, paths.unsubscribe, (count) => anUnsubscription(each(count, () => leaving))],
  ])('takes %i items at most: %s', async (items, path, body) => {
    const klaviyo = aStandIn()
    expect((await klaviyo.call(path, { body: body(items) })).status).toBe(202)
    expect((await klaviyo.call(path, { body: body(items + 1) })).status).toBe(400)
  })

  it('for a list or a profile that is not there is answered 404', async () => {
    const klaviyo = aStandIn()
    const { id } = dataOf(await klaviyo.call(paths.profile, { body: { data: aProfile() } }))
    const statuses = await Promise.all(
      [
        klaviyo.call(paths.members('NOLIST'), { body: references(id) }),
        klaviyo.call(paths.members('VIPLIST'), { body: references(id, 'X') }),
      ].map(async (answer) => (await answer).status),
    )
    expect(statuses).toEqual([404, 404])
    expect(klaviyo.state.lists.get('VIPLIST')?.members.size).toBe(0)
  })

  it('is answered page by page, with the link to the next', async () => {
    const lists = each(12, (at) => ({
      id: `L${at}`,
      name: 'List',
      optIn: 'single_opt_in' as const,
    }))
    const klaviyo = aStandIn({ lists })
    for (const { email } of emails(25)) {
      await klaviyo.call(paths.profile, { body: { data: aProfile({ email }) } })
    }
    for (const [path, first, rest, most] of [
      ['/api/lists', 10, 2, 10],
      ['/api/profiles', 20, 5, 100],
    ] as const) {
      const answer = await klaviyo.call(path)
      expect(listOf(answer)).toHaveLength(first)
      const next = new URL(answer.document?.links?.next ?? '')
      const second = await klaviyo.call(next.pathname + next.search)
      expect(listOf(second)).toHaveLength(rest)
      expect(second.document?.links?.next).toBeUndefined()
      const tooMany = await klaviyo.call(`${path}?page[size]=${most + 1}`)
      expect(pointersOf(tooMany)).toEqual(['page[size]'])
    }
  })
})

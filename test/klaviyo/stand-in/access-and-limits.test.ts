import { describe, expect, it } from 'vitest'
import type { StandInOptions } from '../../../dev/klaviyo/stand-in.ts'
import {
  anEvent,
  aStandIn,
  codesOf,
  paths,
  pointersOf,
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

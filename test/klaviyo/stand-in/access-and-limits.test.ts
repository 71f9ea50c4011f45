import { describe, expect, it } from 'vitest'
import { calls } from '../../../dev/klaviyo/calls.ts'
import { anEvent, aStandIn, codesOf, listOf, paths, pointersOf, START } from './stand-in.fixture.js'

describe('A call', () => {
  it.each([
    ['no key', { authorization: '' }],
    ['a wrong key', { authorization: 'Klaviyo-API-Key pk_wrong' }],
    ['another scheme', { authorization: 'Bearer pk_stand_in_demo_key' }],
  ])('with %s is answered 401', async (_, headers) => {
    const answer = await aStandIn().call('/api/lists', { headers })
    expect([answer.status, codesOf(answer)]).toEqual([401, ['not_authenticated']])
  })

  it('that its key has no scope for is answered 403, which names the scope', async () => {
    const klaviyo = aStandIn({ apiKeys: { pk_stand_in_demo_key: ['lists:read'] } })
    expect((await klaviyo.call('/api/lists')).status).toBe(200)
    const answer = await klaviyo.call(paths.event, { body: anEvent() })
    expect([answer.status, codesOf(answer)]).toEqual([403, ['permission_denied']])
    expect(answer.document?.errors?.[0]?.detail).toContain('events:write')
  })

  it.each(['', '2026-7-15', '2026-07-16', 'latest'])(
    'needs a revision, not "%s"',
    async (revision) => {
      const answer = await aStandIn().call('/api/lists', { headers: { revision } })
      expect([answer.status, pointersOf(answer)]).toEqual([400, ['revision']])
    },
  )

  it('whose body is no JSON is answered 400, without a word of the body', async () => {
    const answer = await aStandIn().call(paths.event, { body: '{"secret":' })
    expect([answer.status, codesOf(answer)]).toEqual([400, ['parse_error']])
    expect(JSON.stringify(answer.document)).not.toContain('secret')
  })

  it('over 5 MB is answered 413, whatever it holds', async () => {
    const body = ' '.repeat(5 * 1024 * 1024) + JSON.stringify(anEvent())
    expect((await aStandIn().call(paths.event, { body })).status).toBe(413)
  })

  it('to another path is 404, with another method 405 with what is allowed', async () => {
    const klaviyo = aStandIn()
    expect((await klaviyo.call('/api/campaigns')).status).toBe(404)
    const answer = await klaviyo.call('/api/events')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('to the account says whose key it is', async () => {
    const answer = await aStandIn().call('/api/accounts')
    expect(listOf(answer)).toMatchObject([
      {
        type: 'account',
        attributes: { contact_information: { organization_name: 'Kettle & Quill' } },
      },
    ])
  })
})

describe('The rate limits', () => {
  const limits = { lists: { burst: 3, steady: 5 } }

  it('give the state of the minute on every answer but 429', async () => {
    const klaviyo = aStandIn({ limits, random: () => 0 })
    const { headers } = await klaviyo.call('/api/lists')
    expect([
      headers.get('ratelimit-limit'),
      headers.get('ratelimit-remaining'),
      headers.get('ratelimit-reset'),
    ]).toEqual(['5', '4', '60'])
    const bad = await klaviyo.call('/api/lists?bad=1')
    expect([bad.status, bad.headers.get('ratelimit-remaining')]).toEqual([400, '3'])
  })

  it('refuse more than the burst in a second, and say when to come back', async () => {
    const klaviyo = aStandIn({ limits, random: () => 0 })
    for (const status of [200, 200, 200, 429]) {
      expect((await klaviyo.call('/api/lists')).status).toBe(status)
    }
    const refused = await klaviyo.call('/api/lists')
    expect([refused.status, codesOf(refused), refused.headers.get('retry-after')]).toEqual([
      429,
      ['throttled'],
      '1',
    ])
    expect(refused.headers.get('ratelimit-limit')).toBeNull()
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

  it('are counted for each endpoint alone, and not for a wrong key', async () => {
    const klaviyo = aStandIn({ limits: { lists: { burst: 1, steady: 1 } } })
    expect((await klaviyo.call('/api/lists', { headers: { authorization: '' } })).status).toBe(401)
    expect((await klaviyo.call('/api/lists')).status).toBe(200)
    expect((await klaviyo.call('/api/lists/VIPLIST')).status).toBe(200)
    expect((await klaviyo.call('/api/lists')).status).toBe(429)
  })

  it('are the documented ones unless the test sets others', () => {
    expect(
      Object.fromEntries(Object.entries(calls).map(([name, { limits: l }]) => [name, l])),
    ).toEqual({
      event: { burst: 350, steady: 3500 },
      events: { burst: 10, steady: 150 },
      profile: { burst: 75, steady: 750 },
      profiles: { burst: 10, steady: 150 },
      'import-job': { burst: 10, steady: 150 },
      'import-errors': { burst: 10, steady: 150 },
      subscribe: { burst: 75, steady: 750 },
      unsubscribe: { burst: 75, steady: 750 },
      'delete-profile': { burst: 3, steady: 60 },
      'list-members': { burst: 10, steady: 150 },
      'find-profiles': { burst: 75, steady: 750 },
      'find-subscribed': { burst: 75, steady: 750 },
      lists: { burst: 75, steady: 750 },
      list: { burst: 75, steady: 750 },
      account: { burst: 1, steady: 15 },
    })
  })
})

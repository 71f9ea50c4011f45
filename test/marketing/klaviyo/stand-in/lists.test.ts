import { describe, expect, it } from 'vitest'
import {
  aProfile,
  aStandIn,
  aSubscription,
  dataOf,
  paths,
  pointersOf,
  references,
} from './stand-in.fixture.js'

const sms = { sms: { marketing: { consent: 'SUBSCRIBED' } } }

describe('Subscribing', () => {
  it('lifts what somebody did by choice, and no other suppression', async () => {
    const klaviyo = aStandIn()
    const saved = await klaviyo.call(paths.profile, { body: { data: aProfile() } })
    const { id } = dataOf(saved)
    for (const reason of [
      'UNSUBSCRIBE',
      'SPAM_COMPLAINT',
      'USER_SUPPRESSED',
      'HARD_BOUNCE',
    ] as const) {
      expect(klaviyo.people.suppress(id, reason)).toBe(true)
    }
    await klaviyo.call(paths.subscribe, {
      body: aSubscription([{ email: 'ada@shop.test' }], { list: 'WELCOME' }),
    })
    expect(klaviyo.state.profiles.get(id)?.suppressions).toMatchObject([{ reason: 'HARD_BOUNCE' }])
  })

  it('from a historical import needs the moment, and no confirmation', async () => {
    const klaviyo = aStandIn()
    const at = (consented_at?: string) => ({
      email: 'ada@shop.test',
      subscriptions: {
        email: { marketing: { consent: 'SUBSCRIBED', ...(consented_at && { consented_at }) } },
      },
    })
    const historical = { list: 'NEWSLTR', historical_import: true }
    const post = async (profile: object, options: Record<string, unknown>) =>
      (await klaviyo.call(paths.subscribe, { body: aSubscription([{ ...profile }], options) }))
        .status
    expect(await post(at(), historical)).toBe(400)
    expect(await post(at('2026-03-10T14:30:01Z'), historical)).toBe(400)
    expect(await post(at('2025-01-01T00:00:00Z'), { list: 'NEWSLTR' })).toBe(400)
    expect(await post(at('2025-01-01T00:00:00Z'), historical)).toBe(202)
    expect(klaviyo.state.profileByEmail('ada@shop.test')?.consent.email).toMatchObject({
      at: Date.parse('2025-01-01T00:00:00Z'),
    })
  })

  it.each([
    ['phone_number', { email: 'a@shop.test', subscriptions: sms }],
    ['email', { phone_number: '+4369912345678' }],
    ['subscriptions', { email: 'a@shop.test', subscriptions: {} }],
    ['subscriptions', { email: 'a@shop.test', subscriptions: undefined }],
  ])('is refused at %s of a profile', async (field, profile) => {
    const klaviyo = aStandIn()
    const body = aSubscription([{ email: 'good@shop.test' }, profile], { list: 'WELCOME' })
    const answer = await klaviyo.call(paths.subscribe, { body })
    const pointer = `/data/attributes/profiles/data/1/attributes/${field}`
    expect([answer.status, pointersOf(answer)]).toEqual([400, [pointer]])
    expect(klaviyo.state.profiles.size).toBe(0)
  })
})

it('Adding to a list gives no consent, and changes nothing the second time', async () => {
  const klaviyo = aStandIn()
  const { id } = dataOf(await klaviyo.call(paths.profile, { body: { data: aProfile() } }))
  for (const status of [204, 204]) {
    const answer = await klaviyo.call(paths.members('VIPLIST'), { body: references(id) })
    expect([answer.status, answer.document]).toEqual([status, undefined])
  }
  expect([...(klaviyo.state.lists.get('VIPLIST')?.members.keys() ?? [])]).toEqual([id])
  expect(klaviyo.state.profiles.get(id)?.consent).toEqual({})
})

describe('Looking members of a list up', () => {
  const path = (filter: string, more = '') =>
    `/api/lists/WELCOME/profiles?filter=${encodeURIComponent(filter)}${more}`

  async function withMember() {
    const klaviyo = aStandIn()
    const body = aSubscription([{ email: 'ada@shop.test' }], { list: 'WELCOME' })
    await klaviyo.call(paths.subscribe, { body })
    await klaviyo.call(paths.profile, { body: { data: aProfile({ email: 'eve@shop.test' }) } })
    return klaviyo
  }

  it('refuses another filter, and answers 404 for a list that is not there', async () => {
    const klaviyo = await withMember()
    const byId = await klaviyo.call(path('equals(external_id,"7")'))
    expect([byId.status, pointersOf(byId)]).toEqual([400, ['filter']])
    expect((await klaviyo.call('/api/lists/NOLIST/profiles')).status).toBe(404)
  })
})

describe('The lists', () => {
  it('have their opt-in process, and how many they hold when asked', async () => {
    const klaviyo = aStandIn()
    expect(dataOf(await klaviyo.call('/api/lists/NEWSLTR')).attributes).toMatchObject({
      name: 'Newsletter',
      opt_in_process: 'double_opt_in',
    })
    const counted = await klaviyo.call('/api/lists/NEWSLTR?additional-fields[list]=profile_count')
    expect(dataOf(counted).attributes).toMatchObject({ profile_count: 0 })
    expect((await klaviyo.call('/api/lists/NOLIST')).status).toBe(404)
  })
})

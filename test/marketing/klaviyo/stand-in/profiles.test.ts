import { describe, expect, it } from 'vitest'
import {
  aDeletion,
  anUnsubscription,
  aProfile,
  aStandIn,
  codesOf,
  dataOf,
  paths,
  pointersOf,
} from './stand-in.fixture.js'

describe('Saving a profile', () => {
  it('clears what is null and leaves what is absent', async () => {
    const klaviyo = aStandIn()
    const save = (attributes: Record<string, unknown>) =>
      klaviyo.call(paths.profile, { body: { data: aProfile(attributes) } })
    const first = await save({
      email: 'ada@shop.test',
      first_name: 'Ada',
      last_name: 'Byron',
      location: { city: 'Wien', zip: '1010' },
      properties: { tea: 'green', cups: 2 },
    })
    const answer = await save({
      email: 'Ada@Shop.test',
      last_name: null,
      location: { zip: null },
      properties: { tea: null },
    })
    expect([first.status, answer.status]).toEqual([201, 200])
    expect(dataOf(answer).id).toBe(dataOf(first).id)
    expect(dataOf(answer).attributes).toMatchObject({
      first_name: 'Ada',
      last_name: null,
      location: { city: 'Wien', zip: null },
      properties: { cups: 2 },
    })
    expect(dataOf(answer).attributes.properties).not.toHaveProperty('tea')
  })

  it('answers 409 with the other id when its identifiers belong to two profiles', async () => {
    const klaviyo = aStandIn()
    const save = (attributes: Record<string, unknown>) =>
      klaviyo.call(paths.profile, { body: { data: aProfile(attributes) } })
    await save({ email: 'ada@shop.test' })
    const phone = dataOf(await save({ phone_number: '+4369912345678' }))
    const answer = await save({ email: 'ada@shop.test', phone_number: '+4369912345678' })
    expect([answer.status, codesOf(answer)]).toEqual([409, ['duplicate_profile']])
    expect(answer.document?.errors?.[0]?.meta).toEqual({ duplicate_profile_id: phone.id })
  })

  it.each([
    ['email', 'ada@shop', '/data/attributes/email'],
    ['email', `${'a'.repeat(245)}@shop.test`, '/data/attributes/email'],
    ['phone_number', '0699 12345678', '/data/attributes/phone_number'],
  ])('refuses %s %j', async (name, value, pointer) => {
    const klaviyo = aStandIn()
    const body = { data: aProfile({ external_id: '7', [name]: value }) }
    const answer = await klaviyo.call(paths.profile, { body })
    expect([answer.status, pointersOf(answer)]).toEqual([400, [pointer]])
  })

  it('answers 413 above 100 KB and 404 for an id that is not there', async () => {
    const klaviyo = aStandIn()
    const large = aProfile({
      email: 'ada@shop.test',
      properties: { a: ['x'.repeat(90_000), 'y'.repeat(20_000)] },
    })
    expect((await klaviyo.call(paths.profile, { body: { data: large } })).status).toBe(413)
    const unknown = await klaviyo.call(paths.profile, { body: { data: aProfile({}, { id: 'X' }) } })
    expect([unknown.status, pointersOf(unknown)]).toEqual([404, ['/data/id']])
  })
})

describe('Looking profiles up', () => {
  async function withProfiles(...emails: string[]) {
    const klaviyo = aStandIn()
    for (const email of emails) {
      await klaviyo.call(paths.profile, { body: { data: aProfile({ email }) } })
    }
    return klaviyo
  }
  it.each([
    `any(email,[${Array.from({ length: 101 }, (_, at) => `"p${at}@shop.test"`).join()}])`,
    'equals(email,ada@shop.test)',
    'equals(email,"ada@shop.test") or true',
    'equals(email,"ada@shop.test\\")',
    'contains(email,"ada")',
    'equals(first_name,"Ada")',
  ])('refuses the filter %s', async (filter) => {
    const answer = await (await withProfiles()).call(paths.find(filter))
    expect([answer.status, pointersOf(answer)]).toEqual([400, ['filter']])
  })
})

describe('Deleting a profile for privacy', () => {
  it('takes one identifier, also of a profile that nobody has', async () => {
    const [email, phone_number] = ['ada@shop.test', '+4369912345678']
    const statusOf = async (profile: object) =>
      (await aStandIn().call(paths.deletion, { body: aDeletion(profile) })).status
    expect(await statusOf({ attributes: { phone_number } })).toBe(202)
    expect(await statusOf({ attributes: { email, phone_number } })).toBe(400)
    expect(await statusOf({ id: '01', attributes: { email } })).toBe(400)
    expect(await statusOf({ attributes: { external_id: '7' } })).toBe(400)
  })
})

describe('Finding profiles by the moment of a change', () => {
  it.each([
    ['filter=greater-or-equal(updated,2026-01-01T00:00:00Z)', 'filter'],
    ['filter=greater-than(email,2026-01-01T00:00:00Z)', 'filter'],
    ['filter=greater-than(updated,yesterday)', 'filter'],
    ['sort=last_name', 'sort'],
  ])('refuses %s', async (query, parameter) => {
    const answer = await aStandIn().call(`/api/profiles?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.document?.errors?.[0]?.source).toMatchObject({ parameter })
  })
})

describe('Unsubscribing', () => {
  const byEmail = {
    email: 'ada@shop.test',
    subscriptions: { email: { marketing: { consent: 'UNSUBSCRIBED' } } },
  }

  it('of a list leaves the other lists to those who are on it, and everything to others', async () => {
    const klaviyo = aStandIn()
    await klaviyo.call(paths.unsubscribe, { body: anUnsubscription([byEmail], 'VIPLIST') })
    expect(klaviyo.state.profileByEmail('ada@shop.test')?.suppressions).toHaveLength(1)
    const saved = await klaviyo.call(paths.profile, {
      body: { data: aProfile({ email: 'bob@shop.test' }) },
    })
    await klaviyo.call(paths.members('VIPLIST'), {
      body: { data: [{ type: 'profile', id: dataOf(saved).id }] },
    })
    await klaviyo.call(paths.unsubscribe, {
      body: anUnsubscription([{ ...byEmail, email: 'bob@shop.test' }], 'VIPLIST'),
    })
    const bob = klaviyo.state.profileByEmail('bob@shop.test')
    expect(bob?.suppressions).toEqual([])
    expect(bob?.listSuppressions).toMatchObject([{ list: 'VIPLIST' }])
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openMarketingDoor, type MarketingDoor } from './marketing-door.js'

let door: MarketingDoor
beforeAll(async () => {
  door = await openMarketingDoor()
})
afterAll(() => door.close())
beforeEach(() => door.reset())

const email = ['email', 'ann@shop.example'] as const
const lists = (ids: readonly string[]) => ids.map((id) => ['lists[]', id] as const)
const listsOf = async (kind: 'list-add' | 'subscribe') =>
  (await door.only(kind)).map(({ list }) => list)

describe('list, lists[]', () => {
  it('Without list or lists[] list membership is unchanged', async () => {
    await door.track([email, ['subscribe', '1']])
    expect(await door.kinds()).toEqual(['identify'])
  })

  it('list: one list ID; lists[]: several list IDs', async () => {
    await door.track([email, ['list', ' NEWS01 ']])
    expect(await listsOf('list-add')).toEqual(['NEWS01'])
    await door.clear()
    // Nothing else leaves out what comes twice.
    await door.setSettings({ dedupeMinutes: 0 })
    await door.track([email, ...lists(['NEWS01', 'TEA002', 'NEWS01', ''])])
    expect(await listsOf('list-add')).toEqual(['NEWS01', 'TEA002'])
    expect(door.leftOut()).toEqual({})
  })

  it('lists[]: ignored when list is present', async () => {
    await door.track([email, ['list', 'NEWS01'], ...lists(['TEA002'])])
    expect(await listsOf('list-add')).toEqual(['NEWS01'])
  })

  it('lists[]: used when list is an empty field', async () => {
    await door.track([email, ['list', ''], ...lists(['TEA002'])])
    expect(await listsOf('list-add')).toEqual(['TEA002'])
  })

  it('100 lists a request; beyond: 400, nothing done', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => `LIST${index}`)
    const refused = await door.track([email, ['forward', 'shop/look'], ...lists(ids)])
    expect(refused.status).toBe(400)
    expect(refused.headers.get('x-error-code')).toBe('PARAMETER_INVALID')
    expect(await door.sends()).toEqual([])
    expect(door.forwarded).toEqual([])

    await door.track([email, ...lists(ids.slice(1))])
    expect(await listsOf('list-add')).toHaveLength(100)
  })

  it('leaves out what is no list id, and lists that the settings do not allow', async () => {
    await door.setSettings({ allowedLists: ['NEWS01'] })
    await door.track([email, ...lists(['NEWS01', 'TEA002', '../x', 'a b', 'x'.repeat(65)])])
    expect(await listsOf('list-add')).toEqual(['NEWS01'])
    expect(Object.keys(door.leftOut())).toEqual(['lists[]'])
    await door.clear()
    await door.track([email, ['list', 'TEA002']])
    expect(await listsOf('list-add')).toEqual([])
    expect(door.leftOut()).toEqual({
      list: 'not among the lists that the settings allow',
    })
  })

  it('leaves out a list id that is nested', async () => {
    await door.track([email, ['list[a]', 'NEWS01'], ['lists[b][c]', 'TEA002']])
    expect(await listsOf('list-add')).toEqual([])
    expect(door.leftOut()).toEqual({ list: 'not one text', 'lists[]': 'not one text' })
  })

  it('identify takes no lists and tracks no event', async () => {
    await door.identify([email, ['list', 'NEWS01'], ['subscribe', '1'], ['event[name]', 'X']])
    expect(await door.kinds()).toEqual(['identify'])
  })
})

describe('subscribe', () => {
  it('omitted: the profile is added to each list without subscribing', async () => {
    await door.track([email, ...lists(['NEWS01', 'TEA002'])])
    expect(await door.kinds()).toEqual(['identify', 'list-add', 'list-add'])
  })

  it('1 subscribes the profile to each list', async () => {
    await door.track([email, ...lists(['NEWS01', 'TEA002']), ['subscribe', '1']])
    expect(await door.kinds()).toEqual(['identify', 'subscribe', 'subscribe'])
    expect(await listsOf('subscribe')).toEqual(['NEWS01', 'TEA002'])
  })

  it.each(['0', '', 'true', 'on', '01', '1 '])(
    'anything else than 1 does not subscribe (%j)',
    async (value) => {
      await door.track([email, ['list', 'NEWS01'], ['subscribe', value]])
      expect(await listsOf('subscribe')).toEqual([])
      expect(await listsOf('list-add')).toEqual(['NEWS01'])
    },
  )
})

describe('list subscribe', () => {
  const subscribe = (fields: Record<string, string>) =>
    door.track({ list: 'NEWS01', subscribe: '1', ...fields })
  const account = { email: 'ann@shop.example', externalId: '7', phoneNumber: '+12025550199' }

  it.each(['email', 'profile[email]'])(
    'email channel marked subscribed when a valid email or profile[email] was posted (%s)',
    async (name) => {
      await subscribe({ [name]: 'ann@shop.example' })
      expect(await door.only('subscribe')).toEqual([
        {
          kind: 'subscribe',
          profile: { email: 'ann@shop.example' },
          list: 'NEWS01',
          channels: ['email'],
        },
      ])
    },
  )

  it('SMS channel when profile[phone_number] was posted', async () => {
    await subscribe({ email: 'ann@shop.example', 'profile[phone_number]': '+12025550123' })
    expect(await door.only('subscribe')).toEqual([
      {
        kind: 'subscribe',
        profile: { email: 'ann@shop.example', phoneNumber: '+12025550123' },
        list: 'NEWS01',
        channels: ['email', 'sms'],
      },
    ])
  })

  it('a subscribe request may use profile[phone_number] alone', async () => {
    await subscribe({ 'profile[phone_number]': '+12025550123', 'profile[first_name]': 'Ann' })
    expect((await door.sends()).map(({ message }) => message)).toEqual([
      { kind: 'identify', profile: { phoneNumber: '+12025550123', firstName: 'Ann' } },
      {
        kind: 'subscribe',
        profile: { phoneNumber: '+12025550123' },
        list: 'NEWS01',
        channels: ['sms'],
      },
    ])
  })

  it('tracks the event of a subscribe request that uses profile[phone_number] alone', async () => {
    await subscribe({ 'profile[phone_number]': '+12025550123', 'event[name]': 'Joined' })
    expect((await door.sends()).map(({ message }) => [message.kind, message.profile])).toEqual([
      ['event', { phoneNumber: '+12025550123' }],
      ['subscribe', { phoneNumber: '+12025550123' }],
    ])
  })

  it('sends nothing for a phone number alone when there is no list to subscribe to', async () => {
    await door.track({ subscribe: '1', 'profile[phone_number]': '+12025550123' })
    expect(await door.sends()).toEqual([])
  })

  it('subscribes no invalid email and no bad phone number', async () => {
    await subscribe({ email: 'ann@shop', 'profile[phone_number]': '123' })
    expect(await door.sends()).toEqual([])
  })

  it('a logged-in user’s account email identifies the profile but is not subscribed unless posted', async () => {
    door.visitor.account = account
    await subscribe({})
    expect((await door.sends()).map(({ message }) => message)).toEqual([
      { kind: 'identify', profile: account },
    ])
    expect(door.leftOut()).toEqual({ subscribe: 'no email or phone number was posted' })

    await door.clear()
    await subscribe({ 'profile[phone_number]': '+12025550123' })
    expect(await door.only('subscribe')).toMatchObject([
      { profile: { email: 'ann@shop.example', phoneNumber: '+12025550123' }, channels: ['sms'] },
    ])

    await door.clear()
    await subscribe({ email: 'ann@shop.example' })
    expect(await door.only('subscribe')).toMatchObject([
      { profile: { email: 'ann@shop.example' }, channels: ['email'] },
    ])
    expect((await door.only('subscribe'))[0]?.profile).not.toHaveProperty('phoneNumber')
  })

  it('sends consent of posted channels alone, and nothing else of the profile', async () => {
    await subscribe({ email: 'ann@shop.example', 'profile[first_name]': 'Ann' })
    expect((await door.only('subscribe'))[0]?.profile).toEqual({ email: 'ann@shop.example' })
    expect((await door.only('identify'))[0]?.profile).toMatchObject({ firstName: 'Ann' })
  })

  it('leaves out a repeated subscription, so that a double opt-in list mails once', async () => {
    await subscribe({ email: 'ann@shop.example' })
    door.clock.now = new Date('2026-03-10T20:00:00Z')
    await subscribe({ email: 'ann@shop.example' })
    expect(await door.only('subscribe')).toHaveLength(1)
  })
})

describe('order of sends', () => {
  it('puts each list behind the send that makes the profile', async () => {
    await door.track([email, ['event[name]', 'Joined'], ...lists(['NEWS01', 'TEA002'])])
    expect(await door.kinds()).toEqual(['event', 'list-add', 'list-add'])
    expect(new Set((await door.sends()).map(({ key }) => key)).size).toBe(3)
  })

  it('Creates or updates a profile, then tracks an event, adds the profile to lists, or both', async () => {
    await door.track([
      email,
      ['profile[first_name]', 'Ann'],
      ['event[name]', 'Joined'],
      ['list', 'NEWS01'],
    ])
    expect((await door.sends()).map(({ message }) => message)).toMatchObject([
      { kind: 'event', profile: { email: 'ann@shop.example', firstName: 'Ann' } },
      { kind: 'list-add', profile: { email: 'ann@shop.example' }, list: 'NEWS01' },
    ])
  })
})

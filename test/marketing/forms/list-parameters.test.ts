import { beforeEach, describe, expect, it } from 'vitest'
import { marketingDoor } from './marketing-door.js'

const door = marketingDoor({
  hooks: {
    beforeProfile: (profile) => (profile.email === 'kept@shop.example' ? false : profile),
    beforeEvent: (event) => event.name !== 'Kept back' && event,
  },
})

const ann = 'ann@shop.example'
const phone = '+12025550123'
const email = ['email', ann] as const
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

  it('lists[]: ignored when list is present, used when that is an empty field', async () => {
    await door.track([email, ['list', 'NEWS01'], ...lists(['TEA002'])])
    expect(await listsOf('list-add')).toEqual(['NEWS01'])
    await door.clear()
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

    await door.setSettings({ allowedLists: ids })
    await door.track([email, ...lists(ids.slice(1))])
    expect(await listsOf('list-add')).toHaveLength(100)
  })

  it('where no setting names the lists, the first ten count, and the log has a warning', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `LIST${index}`)
    await door.track([email, ...lists(['a b', ...ids.slice(0, 10), ...ids.slice(0, 10)])])
    expect(await listsOf('list-add')).toEqual(ids.slice(0, 10))
    expect(door.leftOut()).toEqual({ 'lists[]': 'not a list id' })
    await door.clear()
    await door.track([email, ...lists(ids), ['subscribe', '1']])
    expect(await listsOf('subscribe')).toEqual(ids.slice(0, 10))
    expect(door.leftOut()).toEqual({ 'lists[]': 'more than 10 lists' })
  })

  it('leaves out what is no list id, and lists that the settings do not allow', async () => {
    await door.setSettings({ allowedLists: ['NEWS01'] })
    await door.track([email, ...lists(['NEWS01', 'TEA002', '../x', 'a b', 'x'.repeat(65)])])
    expect(await listsOf('list-add')).toEqual(['NEWS01'])
    expect(Object.keys(door.leftOut())).toEqual(['lists[]'])
    await door.clear()
    await door.track([email, ['list', 'TEA002']])
    expect(door.leftOut()).toEqual({ list: 'not among the lists that the settings allow' })
    await door.clear()
    await door.track([email, ['list[a]', 'NEWS01'], ['lists[b][c]', 'NEWS01']])
    expect(door.leftOut()).toEqual({ list: 'not one text', 'lists[]': 'not one text' })
    expect(await listsOf('list-add')).toEqual([])
  })

  it('identify takes no lists and tracks no event', async () => {
    await door.identify([email, ['list', 'NEWS01'], ['subscribe', '1'], ['event[name]', 'X']])
    expect(await door.kinds()).toEqual(['identify'])
  })
})

describe('subscribe', () => {
  it.each([undefined, '0', '', 'true', '01', '1 '])(
    'omitted: the profile is added to each list without subscribing; so with anything else than 1 (%j)',
    async (value) => {
      const subscribe = value === undefined ? [] : [['subscribe', value] as const]
      await door.track([email, ...lists(['NEWS01', 'TEA002']), ...subscribe])
      expect(await door.kinds()).toEqual(['identify', 'list-add', 'list-add'])
    },
  )

  it('1 subscribes the profile to each list', async () => {
    await door.track([email, ...lists(['NEWS01', 'TEA002']), ['subscribe', '1']])
    expect(await door.kinds()).toEqual(['identify', 'subscribe', 'subscribe'])
    expect(await listsOf('subscribe')).toEqual(['NEWS01', 'TEA002'])
  })
})

describe('list subscribe', () => {
  const subscribe = (fields: Record<string, string>) =>
    door.track({ list: 'NEWS01', subscribe: '1', ...fields })
  const subscribed = (...channels: ('email' | 'sms')[]) => ({
    kind: 'subscribe',
    profile: {
      ...(channels.includes('email') && { email: ann }),
      ...(channels.includes('sms') && { phoneNumber: phone }),
    },
    list: 'NEWS01',
    channels,
  })
  const messages = async () => (await door.sends()).map(({ message }) => message)

  it('email channel marked subscribed when a valid email or profile[email] was posted, SMS channel when profile[phone_number] was posted', async () => {
    for (const name of ['email', 'profile[email]']) {
      await door.clear()
      await subscribe({ [name]: ann, 'profile[first_name]': 'Ann' })
      expect(await messages()).toEqual([
        { kind: 'identify', profile: { email: ann, firstName: 'Ann' } },
        subscribed('email'),
      ])
    }
    await subscribe({ email: ann, 'profile[phone_number]': phone })
    expect((await door.only('subscribe')).at(-1)).toEqual({
      ...subscribed('email', 'sms'),
      profile: { email: ann, phoneNumber: phone },
    })
    await door.clear()
    await subscribe({ email: 'ann@shop', 'profile[phone_number]': '123' })
    expect(await messages()).toEqual([])
  })

  it('a subscribe request may use profile[phone_number] alone', async () => {
    const profile = { phoneNumber: phone }
    await subscribe({ 'profile[phone_number]': phone, 'profile[first_name]': 'Ann' })
    expect(await messages()).toEqual([
      { kind: 'identify', profile: { ...profile, firstName: 'Ann' } },
      subscribed('sms'),
    ])
    await door.clear()
    await subscribe({ 'profile[phone_number]': phone, 'event[name]': 'Joined' })
    expect(await messages()).toMatchObject([{ kind: 'event', profile }, subscribed('sms')])
    await door.clear()
    await door.track({ subscribe: '1', 'profile[phone_number]': phone })
    expect(await messages()).toEqual([])
  })

  it('a logged-in user’s account email identifies the profile but is not subscribed unless posted', async () => {
    const account = { email: ann, externalId: '7', phoneNumber: '+12025550199' }
    door.visitor.account = account
    await subscribe({})
    expect(await messages()).toEqual([{ kind: 'identify', profile: account }])
    expect(door.leftOut()).toEqual({ subscribe: 'no email or phone number was posted' })
    await door.clear()
    await subscribe({ 'profile[phone_number]': phone })
    expect(await door.only('subscribe')).toEqual([
      { ...subscribed('sms'), profile: { email: ann, phoneNumber: phone } },
    ])
    await door.clear()
    await subscribe({ email: ann })
    expect(await door.only('subscribe')).toEqual([subscribed('email')])
  })

  it('profile created if needed, consent wording is not recorded', async () => {
    const wording = 'I agree to the terms of the tea club'
    const bodies: unknown[] = []
    door.network = async (request, ask) => {
      bodies.push(await request.clone().json())
      return ask(request)
    }
    // Then only the subscription is sent about this person.
    const fields = {
      email: ann,
      list: 'VIPLIST',
      'event[name]': 'Kept back',
      'profile[consent]': wording,
    }
    const texts = { consent: wording, consent_text: wording }
    await subscribe({ ...fields, ...texts, 'profile[properties][$consent_method]': wording })
    await door.deliver()
    const { calls, lists } = door.standIn.state
    expect(calls.map(({ name }) => name)).toEqual(['subscribe'])
    const id = door.standIn.state.profileByEmail(ann)?.id
    expect(id).toBeDefined()
    expect([...(lists.get('VIPLIST')?.members.keys() ?? [])]).toEqual([id])
    const marketing = { email: { marketing: { consent: 'SUBSCRIBED' } } }
    const attributes = { email: ann, subscriptions: marketing }
    expect(bodies).toEqual([
      {
        data: {
          type: 'profile-subscription-bulk-create-job',
          attributes: { profiles: { data: [{ type: 'profile', attributes }] } },
          relationships: { list: { data: { type: 'list', id: 'VIPLIST' } } },
        },
      },
    ])
  })

  it('leaves out a repeated subscription, so that a double opt-in list mails once', async () => {
    await subscribe({ email: ann })
    door.move(8 * 3_600_000)
    await subscribe({ email: ann })
    expect(await door.only('subscribe')).toHaveLength(1)
  })
})

describe('subscribe=0, while the settings follow unsubscribes', () => {
  beforeEach(() => door.setSettings({ followUnsubscribes: true }))
  const unsubscribed = { kind: 'unsubscribe', profile: { email: ann }, channels: ['email'] }

  it.each(['identify', 'track'] as const)(
    'ends the posted channels on %s and all lists, and adds to none',
    async (action) => {
      const fields = { email: ann, 'profile[phone_number]': phone, list: 'NEWS01', subscribe: '0' }
      await door[action](fields)
      const profile = { email: ann, phoneNumber: phone }
      expect(await door.only('unsubscribe')).toEqual([
        { ...unsubscribed, profile, channels: ['email', 'sms'] },
      ])
      expect(await door.only('list-add')).toEqual([])
    },
  )

  it("ends the account's email when no address is posted; without an account the log says so", async () => {
    await door.identify({ subscribe: '0' })
    expect(await door.sends()).toEqual([])
    expect(door.leftOut()).toEqual({ subscribe: 'no email or phone number was posted' })
    door.visitor.account = { email: ann, phoneNumber: phone }
    await door.identify({ subscribe: '0' })
    expect(await door.only('unsubscribe')).toEqual([unsubscribed])
  })

  it('is sent each time, as the person may have come back in between, and whatever beforeProfile keeps back', async () => {
    await door.identify({ email: 'kept@shop.example', subscribe: '0' })
    await door.identify({ email: 'kept@shop.example', subscribe: '0' })
    expect(await door.kinds()).toEqual(['unsubscribe', 'unsubscribe'])
  })

  it('needs the CSRF token, like any post', async () => {
    const answer = await door.identify({ email: ann, subscribe: '0' }, { token: null })
    expect(answer.status).toBe(400)
    expect(await door.sends()).toEqual([])
  })
})

describe('subscribe=1, while the settings follow unsubscribes', () => {
  beforeEach(() => door.setSettings({ followUnsubscribes: true, consentList: 'NEWS01' }))

  it('of a form is an explicit consent; along with an order it is none, even when that is not there', async () => {
    const fields = { email: ann, list: 'TEA002', subscribe: '1' }
    await door.track(fields)
    const order = { 'event[name]': 'Bought', 'event[trackOrder]': '1', 'event[orderNumber]': '77' }
    await door.track({ ...fields, email: 'bob@shop.example', ...order })
    const basesOf = (await door.only('subscribe')).map(({ list, basis }) => [list, basis])
    expect(basesOf).toEqual([
      ['TEA002', 'explicit'],
      ['TEA002', 'implied'],
    ])
  })

  it('on identify subscribes to the list of the checkout, and without one to nothing', async () => {
    await door.identify({ email: ann, subscribe: '1' })
    expect(await door.only('subscribe')).toMatchObject([
      { list: 'NEWS01', channels: ['email'], basis: 'explicit' },
    ])
    await door.clear()
    await door.setSettings({ followUnsubscribes: true })
    await door.identify({ email: ann, subscribe: '1' })
    expect(await door.kinds()).toEqual(['identify'])
  })

  it('neither 0 nor 1 has such a meaning while the settings do not follow unsubscribes', async () => {
    await door.setSettings({ consentList: 'NEWS01' })
    await door.track({ email: ann, list: 'TEA002', subscribe: '1' })
    expect((await door.only('subscribe'))[0]).not.toHaveProperty('basis')
    for (const subscribe of ['0', '1']) {
      await door.clear()
      await door.track({ email: ann, list: 'NEWS01', subscribe: '0' })
      expect(await door.kinds()).toEqual(['identify', 'list-add'])
      await door.clear()
      await door.identify({ email: ann, subscribe })
      expect(await door.kinds()).toEqual(['identify'])
    }
  })
})

it('Creates or updates a profile with the event, then adds the profile to its lists', async () => {
  const fields = [['profile[first_name]', 'Ann'] as const, ['event[name]', 'Joined'] as const]
  await door.track([email, ...fields, ...lists(['NEWS01', 'TEA002'])])
  const sends = await door.sends()
  expect(sends.map(({ message }) => message)).toMatchObject([
    { kind: 'event', profile: { email: ann, firstName: 'Ann' } },
    { kind: 'list-add', profile: { email: ann }, list: 'NEWS01' },
    { kind: 'list-add', profile: { email: ann }, list: 'TEA002' },
  ])
  expect(new Set(sends.map(({ key }) => key)).size).toBe(3)
})

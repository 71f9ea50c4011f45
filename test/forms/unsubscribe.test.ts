import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openMarketingDoor, type MarketingDoor } from './marketing-door.js'

let door: MarketingDoor
beforeAll(async () => {
  door = await openMarketingDoor({
    hooks: {
      beforeProfile: (profile) => (profile.email === 'kept@shop.example' ? false : profile),
    },
  })
})
afterAll(() => door.close())
beforeEach(() => door.reset())

const email = 'ann@shop.example'
const phone = '+447400123456'

describe('subscribe=0', () => {
  beforeEach(() => door.setSettings({ followUnsubscribes: true }))

  it.each(['identify', 'track'] as const)('ends the posted channels on %s', async (action) => {
    await door[action]({ email, 'profile[phone_number]': phone, subscribe: '0' })
    expect(await door.only('unsubscribe')).toEqual([
      { kind: 'unsubscribe', profile: { email, phoneNumber: phone }, channels: ['email', 'sms'] },
    ])
  })

  it('ends all lists, whichever are named, and adds to none', async () => {
    await door.track({ email, list: 'NEWS01', subscribe: '0' })
    expect(await door.only('unsubscribe')).toEqual([
      { kind: 'unsubscribe', profile: { email }, channels: ['email'] },
    ])
    expect(await door.only('list-add')).toEqual([])
  })

  it("ends the account's email when a logged-in visitor posts no address", async () => {
    door.visitor.account = { email, phoneNumber: phone }
    await door.identify({ subscribe: '0' })
    expect(await door.only('unsubscribe')).toEqual([
      { kind: 'unsubscribe', profile: { email }, channels: ['email'] },
    ])
  })

  it('ends nothing for a visitor without an address, and says so in the log', async () => {
    await door.identify({ subscribe: '0' })
    expect(await door.sends()).toEqual([])
    expect(door.leftOut()).toEqual({ subscribe: 'no email or phone number was posted' })
  })

  it('is sent even when beforeProfile keeps everything else back', async () => {
    await door.identify({ email: 'kept@shop.example', subscribe: '0' })
    expect(await door.kinds()).toEqual(['unsubscribe'])
  })

  it('is no repeat of an earlier one, as the person may have come back in between', async () => {
    await door.identify({ email, subscribe: '0' })
    await door.identify({ email, subscribe: '0' })
    expect(await door.only('unsubscribe')).toHaveLength(2)
  })

  it('needs the CSRF token, like any post', async () => {
    expect((await door.identify({ email, subscribe: '0' }, { token: null })).status).toBe(400)
    expect(await door.sends()).toEqual([])
  })

  it('has no meaning of its own while the settings do not follow unsubscribes', async () => {
    await door.setSettings({})
    await door.track({ email, list: 'NEWS01', subscribe: '0' })
    expect(await door.kinds()).toEqual(['identify', 'list-add'])
    await door.clear()
    await door.identify({ email, subscribe: '0' })
    expect(await door.kinds()).toEqual(['identify'])
  })
})

describe('subscribe=1, while the settings follow unsubscribes', () => {
  beforeEach(() => door.setSettings({ followUnsubscribes: true, consentList: 'NEWS01' }))

  it('of a form is an explicit consent', async () => {
    await door.track({ email, list: 'TEA002', subscribe: '1' })
    expect(await door.only('subscribe')).toMatchObject([{ list: 'TEA002', basis: 'explicit' }])
  })

  it('along with an order is none, even when the order is not there', async () => {
    const order = { 'event[name]': 'Bought', 'event[trackOrder]': '1', 'event[orderNumber]': '77' }
    await door.track({ email, list: 'TEA002', subscribe: '1', ...order })
    expect(await door.only('subscribe')).toMatchObject([{ basis: 'implied' }])
  })

  it('on identify subscribes to the list of the checkout', async () => {
    await door.identify({ email, subscribe: '1' })
    expect(await door.only('subscribe')).toMatchObject([
      { list: 'NEWS01', channels: ['email'], basis: 'explicit' },
    ])
  })

  it('on identify subscribes to nothing without such a list', async () => {
    await door.setSettings({ followUnsubscribes: true })
    await door.identify({ email, subscribe: '1' })
    expect(await door.kinds()).toEqual(['identify'])
  })

  it('says nothing of a basis while the settings do not follow unsubscribes', async () => {
    await door.setSettings({ consentList: 'NEWS01' })
    await door.track({ email, list: 'TEA002', subscribe: '1' })
    expect((await door.only('subscribe'))[0]).not.toHaveProperty('basis')
    await door.clear()
    await door.identify({ email, subscribe: '1' })
    expect(await door.kinds()).toEqual(['identify'])
  })
})

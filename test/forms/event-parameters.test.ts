import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { FindOrderDetails } from '../../src/forms/track-action.js'
import { openMarketingDoor, type MarketingDoor } from './marketing-door.js'

let door: MarketingDoor
beforeEach(() => {
  door = openMarketingDoor()
})

const track = async (fields: Record<string, string>) => {
  const response = await door.track({
    email: 'ann@shop.example',
    'event[name]': 'Sent Form',
    ...fields,
  })
  expect(response.status).toBe(303)
}

/** The event that the platform would get. */
const tracked = async (fields: Record<string, string>) => {
  await track(fields)
  return door.event()
}

describe('event[name]', () => {
  it('Without event[name] no event is tracked', async () => {
    await door.track({ email: 'ann@shop.example', 'event[Topic]': 'Tea', 'event[value]': '3' })
    expect(door.only('event')).toEqual([])
    expect(door.only('identify')).toHaveLength(1)
  })

  it.each(['', '  '])('tracks no event without a name (%j)', async (name) => {
    await track({ 'event[name]': name })
    expect(door.only('event')).toEqual([])
    expect(door.only('identify')).toHaveLength(1)
  })

  it('Shown on the platform as the metric; the event prefix is added in front', async () => {
    expect((await tracked({})).name).toBe('Sent Form')
    door.clear()
    door.state.settings = { eventPrefix: 'Tea Shop ' }
    expect((await tracked({})).name).toBe('Tea Shop Sent Form')
  })

  it('takes names shorter than 128 characters, prefix included', async () => {
    door.state.settings = { eventPrefix: 'Shop' }
    expect((await tracked({ 'event[name]': 'a'.repeat(122) })).name).toHaveLength(127)
    door.clear()
    await track({ 'event[name]': 'a'.repeat(123) })
    expect(door.only('event')).toEqual([])
    expect(door.only('identify')).toHaveLength(1)
    expect(Object.keys(door.leftOut())).toEqual(['event[name]'])
  })

  it('tracks only the names that the settings allow, if they name any', async () => {
    door.state.settings = { allowedEvents: ['Sent Form'], eventPrefix: 'Shop' }
    expect((await tracked({})).name).toBe('Shop Sent Form')
    door.clear()
    await track({ 'event[name]': 'Placed Order' })
    expect(door.only('event')).toEqual([])
    expect(Object.keys(door.leftOut())).toEqual(['event[name]'])
  })

  it('creates or updates the profile with the event, in one send', async () => {
    await track({ 'profile[first_name]': 'Ann' })
    expect(door.sends.map(({ message }) => message)).toMatchObject([
      { kind: 'event', profile: { email: 'ann@shop.example', firstName: 'Ann' } },
    ])
  })
})

describe('event[value]', () => {
  it.each([
    ['12.50', 12.5],
    [' 7 ', 7],
    ['-3', -3],
    ['.5', 0.5],
    ['1e3', 1000],
    ['0', 0],
  ])('Number (%s)', async (text, value) => {
    expect((await tracked({ 'event[value]': text })).value).toBe(value)
    expect(door.leftOut()).toEqual({})
  })

  it.each(['12abc', 'abc', '1,50', '$5', '0x10', 'Infinity', 'NaN', '1e999', '1 2', '--1'])(
    'left out when not a number (%s)',
    async (text) => {
      expect(await tracked({ 'event[value]': text })).not.toHaveProperty('value')
      expect(door.leftOut()).toEqual({ 'event[value]': 'not a number' })
    },
  )

  it('left out when it is empty, or a list', async () => {
    expect(await tracked({ 'event[value]': '' })).not.toHaveProperty('value')
    expect(door.leftOut()).toEqual({})
    door.clear()
    expect(await tracked({ 'event[value][]': '1' })).not.toHaveProperty('value')
    expect(door.leftOut()).toEqual({ 'event[value]': 'not one text' })
  })
})

describe('event[value_currency]', () => {
  it('ISO 4217 code', async () => {
    expect((await tracked({ 'event[value_currency]': 'EUR' })).valueCurrency).toBe('EUR')
  })

  it.each(['eur', 'EURO', 'EU', ' EUR', 'EUR\n', 'ÄUR', 'E1R'])(
    'left out unless exactly three capital letters (%j)',
    async (code) => {
      expect(await tracked({ 'event[value_currency]': code })).not.toHaveProperty('valueCurrency')
      expect(door.leftOut()).toEqual({ 'event[value_currency]': 'not three capital letters' })
    },
  )
})

describe('event[timestamp]', () => {
  it.each([
    ['2026-03-09T14:30:00Z', '2026-03-09T14:30:00.000Z'],
    ['2026-03-09T14:30:00.123+02:00', '2026-03-09T12:30:00.123Z'],
    ['20260309T143000Z', '2026-03-09T14:30:00.000Z'],
    ['2026-03-09', '2026-03-09T00:00:00.000Z'],
    ['1990-01-01T00:00:00Z', '1990-01-01T00:00:00.000Z'],
    ['2027-03-10T12:00:00Z', '2027-03-10T12:00:00.000Z'],
  ])('ISO 8601 date-time (%s)', async (text, time) => {
    expect((await tracked({ 'event[timestamp]': text })).time).toBe(time)
    expect(door.leftOut()).toEqual({})
  })

  it('reads a timestamp without an offset in the site’s timezone', async () => {
    door.state.timezone = 'America/New_York'
    const { time } = await tracked({ 'event[timestamp]': '2026-03-09T08:00:00' })
    expect(time).toBe('2026-03-09T12:00:00.000Z')
  })

  it('default: time the platform receives the event', async () => {
    expect(await tracked({})).not.toHaveProperty('time')
    door.clear()
    expect(await tracked({ 'event[timestamp]': '' })).not.toHaveProperty('time')
    expect(door.leftOut()).toEqual({})
  })

  it.each([
    'yesterday',
    '14:30',
    'T14:30',
    '03/09/2026',
    '2026-02-30T00:00:00Z',
    '1767225600000',
    '9'.repeat(70),
    '1989-12-31T23:59:59Z',
    '2027-03-10T12:00:01Z',
    '9999-12-31T00:00:00Z',
  ])(
    'a timestamp that is not a date, is before 1990, or is more than a year ahead is replaced by the default (%s)',
    async (text) => {
      expect(await tracked({ 'event[timestamp]': text })).not.toHaveProperty('time')
      expect(Object.keys(door.leftOut())).toEqual(['event[timestamp]'])
    },
  )
})

describe('event[unique_id]', () => {
  it('Event ID: sent as it was posted', async () => {
    expect((await tracked({ 'event[unique_id]': 'form-1' })).uniqueId).toBe('form-1')
  })

  it('a repeat post records once: the same id, whatever else was posted and however late', async () => {
    await track({ 'event[unique_id]': 'form-1', 'event[Topic]': 'Tea' })
    door.clock.now = new Date('2026-03-12T12:00:00Z')
    await track({ 'event[unique_id]': 'form-1', 'event[Topic]': 'Coffee' })
    expect(door.only('event').map(({ event }) => event.uniqueId)).toEqual(['form-1', 'form-1'])
  })

  it('an id that is too long for the platform stays one id', async () => {
    const long = 'x'.repeat(256)
    const { uniqueId } = await tracked({ 'event[unique_id]': long })
    expect(uniqueId.length).toBeLessThan(256)
    door.clear()
    expect((await tracked({ 'event[unique_id]': long, 'event[A]': '1' })).uniqueId).toBe(uniqueId)
    door.clear()
    expect((await tracked({ 'event[unique_id]': `${long}y` })).uniqueId).not.toBe(uniqueId)
    expect((await tracked({ 'event[unique_id]': 'z'.repeat(255) })).uniqueId).not.toBe('')
  })

  it('absent: the same post again within the dedupe window has the same key, a later one another id', async () => {
    await track({ 'event[Topic]': 'Tea' })
    await track({ 'event[Topic]': 'Tea' })
    door.clock.now = new Date('2026-03-10T12:10:00Z')
    await track({ 'event[Topic]': 'Tea' })
    const [first, second, third] = door.sends.map(({ key }) => key)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    const [one, two, three] = door.only('event').map(({ event }) => event.uniqueId)
    expect(two).toBe(one)
    expect(three).not.toBe(one)
  })

  it('absent: posts that differ have ids of their own', async () => {
    await track({ 'event[Topic]': 'Tea' })
    await track({ 'event[Topic]': 'Coffee' })
    await track({ 'event[Topic]': 'Tea', email: 'bob@shop.example' })
    expect(new Set(door.only('event').map(({ event }) => event.uniqueId)).size).toBe(3)
  })
})

describe('event[PropertyName]', () => {
  it('custom event property; every other key under event becomes one', async () => {
    const { properties } = await tracked({
      'event[Topic]': 'Tea',
      'event[Comment]': '',
      'event[Colors][]': 'red',
      'event[Size][width]': '4',
      'event[value]': '1',
      'event[value_currency]': 'EUR',
      'event[timestamp]': '2026-03-09',
      'event[unique_id]': '1',
      'event[orderNumber]': '1',
      'event[orderId]': '1',
    })
    expect(properties).toEqual({ Topic: 'Tea', Comment: '', Colors: ['red'], Size: { width: '4' } })
  })

  it("every other key under event becomes one, the platform's own names too", async () => {
    const own = { $consent: 'sms', $value: '5', $event_id: 'x', $email: 'bob@shop.example' }
    const fields = Object.entries(own).map(([name, value]) => [`event[${name}]`, value])
    const event = await tracked(Object.fromEntries(fields) as Record<string, string>)
    expect(event.properties).toEqual(own)
    expect(event).not.toHaveProperty('value')
    expect(event.uniqueId).not.toBe('x')
  })

  it('leaves out names that reach into a prototype', async () => {
    const { properties } = await tracked({
      'event[__proto__][polluted]': '1',
      'event[constructor]': '1',
      'event[Nested][prototype][polluted]': '1',
    })
    expect(properties).toEqual({ Nested: {} })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('takes 400 properties and leaves out the others with a warning', async () => {
    const fields = Array.from({ length: 402 }, (_, index) => [`event[P${index}]`, 'x'])
    const { properties } = await tracked(Object.fromEntries(fields) as Record<string, string>)
    expect(Object.keys(properties)).toHaveLength(400)
    expect(door.leftOut()).toEqual({ 'event[P400]': 'more than 400 properties' })
  })
})

describe('event[trackOrder]', () => {
  const details = { value: 80, valueCurrency: 'EUR', properties: { OrderID: '9' } }
  const openShop = (find: FindOrderDetails) => {
    door = openMarketingDoor({ findOrderDetails: find })
  }

  it('order not found: event not tracked, error written to the log; the post identifies and handles lists', async () => {
    for (const shop of [
      openMarketingDoor(),
      openMarketingDoor({ findOrderDetails: () => Promise.resolve(undefined) }),
    ]) {
      door = shop
      await track({ 'event[trackOrder]': '1', 'event[orderNumber]': 'deadbeef', list: 'NEWS01' })
      expect(door.sends.map(({ message }) => message.kind)).toEqual(['identify', 'list-add'])
      const errors = door.lines.filter(({ level }) => level === 'error')
      expect(errors).toMatchObject([{ fields: { askedBy: 'number' } }])
      expect(JSON.stringify(errors)).not.toContain('deadbeef')
    }
  })

  it('any value: send the order’s details and no custom event[PropertyName] values', async () => {
    for (const value of ['1', '', '0']) {
      openShop(() => Promise.resolve({ ...details, customer: undefined }))
      const event = await tracked({
        'event[trackOrder]': value,
        'event[Topic]': 'Tea',
        'event[value]': '3',
      })
      expect(event).toMatchObject({ name: 'Sent Form', value: 80, valueCurrency: 'EUR' })
      expect(event.properties).toEqual({ OrderID: '9' })
    }
  })

  it('asks by orderNumber, by orderId, or for the current cart', async () => {
    const find = vi.fn<FindOrderDetails>(() => Promise.resolve(undefined))
    openShop(find)
    await track({ 'event[trackOrder]': '1', 'event[orderNumber]': 'abc' })
    await track({ 'event[trackOrder]': '1', 'event[orderId]': '12' })
    await track({ 'event[trackOrder]': '1' })
    expect(find.mock.calls.map(([{ number, id }]) => ({ number, id }))).toEqual([
      { number: 'abc', id: undefined },
      { number: undefined, id: '12' },
      { number: undefined, id: undefined },
    ])
  })

  it('when the order has an email the event goes to the order’s customer instead of the posted profile', async () => {
    openShop(() => Promise.resolve({ ...details, customer: { email: 'bob@shop.example' } }))
    await track({ 'event[trackOrder]': '1', list: 'NEWS01' })
    expect(door.sends.map(({ message }) => [message.kind, message.profile.email])).toEqual([
      ['identify', 'ann@shop.example'],
      ['event', 'bob@shop.example'],
      ['list-add', 'ann@shop.example'],
    ])
  })

  it('A custom order event without event[unique_id] gets a new unique ID on every post', async () => {
    openShop(() => Promise.resolve({ ...details, customer: undefined }))
    await track({ 'event[trackOrder]': '1' })
    await track({ 'event[trackOrder]': '1' })
    expect(new Set(door.only('event').map(({ event }) => event.uniqueId)).size).toBe(2)
    expect(new Set(door.sends.map(({ key }) => key)).size).toBe(2)
  })

  it('posting an own event[unique_id] records it once', async () => {
    openShop(() => Promise.resolve({ ...details, customer: undefined }))
    await track({ 'event[trackOrder]': '1', 'event[unique_id]': 'o1' })
    await track({ 'event[trackOrder]': '1', 'event[unique_id]': 'o1' })
    expect(door.only('event').map(({ event }) => event.uniqueId)).toEqual(['o1', 'o1'])
    expect(new Set(door.sends.map(({ key }) => key)).size).toBe(1)
  })
})

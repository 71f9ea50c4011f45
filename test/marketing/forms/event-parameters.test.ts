import { beforeEach, describe, expect, it } from 'vitest'
import { anOrder, saveOrder } from '../../support/orders.js'
import { marketingDoor } from './marketing-door.js'

const door = marketingDoor({ timezone: 'America/New_York' })

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
  return await door.event()
}

describe('event[name]', () => {
  it('Without event[name] no event is tracked', async () => {
    for (const name of [{}, { 'event[name]': '' }, { 'event[name]': '  ' }]) {
      await door.clear()
      await door.track({ email: 'ann@shop.example', 'event[Topic]': 'Tea', ...name })
      expect(await door.kinds()).toEqual(['identify'])
    }
  })

  it('Shown on the platform as the metric; the event prefix is added in front', async () => {
    expect((await tracked({})).name).toBe('Sent Form')
    await door.clear()
    await door.setSettings({ eventPrefix: 'Tea Shop ' })
    expect((await tracked({})).name).toBe('Tea Shop Sent Form')
  })

  it('leaves out a name of 128 characters with its prefix, and one that the settings do not allow', async () => {
    await door.setSettings({ eventPrefix: 'Shop' })
    expect((await tracked({ 'event[name]': 'a'.repeat(122) })).name).toHaveLength(127)
    const leftOut = async (name: string) => {
      await door.clear()
      await track({ 'event[name]': name })
      expect(await door.kinds()).toEqual(['identify'])
      expect(Object.keys(door.leftOut())).toEqual(['event[name]'])
    }
    await leftOut('a'.repeat(123))
    await door.setSettings({ allowedEvents: ['Sent Form'], eventPrefix: 'Shop' })
    await leftOut('Placed Order')
    expect((await tracked({})).name).toBe('Shop Sent Form')
  })
})

describe('event[value]', () => {
  it.each([
    ['12.50', 12.5],
    [' 7 ', 7],
    ['-3', -3],
    ['1e3', 1000],
    ['0', 0],
    ['', undefined],
  ])('Number (%s)', async (text, value) => {
    expect((await tracked({ 'event[value]': text })).value).toBe(value)
    expect(door.leftOut()).toEqual({})
  })

  it.each(['12abc', '1,50', '0x10', 'Infinity', 'NaN', '1e999', '--1'])(
    'left out when not a number (%s)',
    async (text) => {
      expect(await tracked({ 'event[value]': text })).not.toHaveProperty('value')
      expect(door.leftOut()).toEqual({ 'event[value]': 'not a number' })
    },
  )

  it('left out when it is a list', async () => {
    expect(await tracked({ 'event[value][]': '1' })).not.toHaveProperty('value')
    expect(door.leftOut()).toEqual({ 'event[value]': 'not one text' })
  })
})

describe('event[value_currency]', () => {
  it.each(['eur', 'EURO', 'EU', ' EUR', 'EUR\n', 'ÄUR', 'E1R'])(
    'left out unless exactly three capital letters (%j)',
    async (code) => {
      expect(await tracked({ 'event[value_currency]': code })).not.toHaveProperty('valueCurrency')
      expect(door.leftOut()).toEqual({ 'event[value_currency]': 'not three capital letters' })
      await door.clear()
      expect((await tracked({ 'event[value_currency]': 'EUR' })).valueCurrency).toBe('EUR')
    },
  )
})

describe('event[timestamp]', () => {
  beforeEach(() => door.setClock(Date.parse('2026-03-10T12:00:00Z') - door.now()))

  it.each([
    ['2026-03-09T14:30:00.123+02:00', '2026-03-09T12:30:00.123Z'],
    ['20260309T143000Z', '2026-03-09T14:30:00.000Z'],
    // Without an offset, in the site’s timezone.
    ['2026-03-09', '2026-03-09T04:00:00.000Z'],
    ['2026-03-09T08:00:00', '2026-03-09T12:00:00.000Z'],
    ['1990-01-01T00:00:00Z', '1990-01-01T00:00:00.000Z'],
    ['2027-03-10T12:00:00Z', '2027-03-10T12:00:00.000Z'],
    ['', undefined],
  ])('ISO 8601 date-time (%s)', async (text, time) => {
    expect((await tracked({ 'event[timestamp]': text })).time).toBe(time)
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
  it('absent: the same post within the dedupe window is a repeat; a later or another one has an id of its own', async () => {
    await track({ 'event[Topic]': 'Tea' })
    await track({ 'event[Topic]': 'Tea' })
    await track({ 'event[Topic]': 'Coffee' })
    await track({ 'event[Topic]': 'Tea', email: 'bob@shop.example' })
    door.move(10 * 60_000)
    await track({ 'event[Topic]': 'Tea' })
    const ids = (await door.only('event')).map(({ event }) => event.uniqueId)
    expect(ids).toHaveLength(4)
    expect(new Set(ids).size).toBe(4)
  })

  it('a repeat post records once: the same id, whatever else was posted and however late', async () => {
    await track({ 'event[unique_id]': 'form-1', 'event[Topic]': 'Tea' })
    door.move(48 * 3_600_000)
    await track({ 'event[unique_id]': 'form-1', 'event[Topic]': 'Coffee' })
    expect((await door.only('event')).map(({ event }) => event.uniqueId)).toEqual([
      'form-1',
      'form-1',
    ])
  })

  it('an id that is too long for the platform stays one id', async () => {
    const long = 'x'.repeat(256)
    const { uniqueId } = await tracked({ 'event[unique_id]': long })
    expect(uniqueId.length).toBeLessThan(256)
    await door.clear()
    expect((await tracked({ 'event[unique_id]': long, 'event[A]': '1' })).uniqueId).toBe(uniqueId)
    await door.clear()
    expect((await tracked({ 'event[unique_id]': `${long}y` })).uniqueId).not.toBe(uniqueId)
    expect((await tracked({ 'event[unique_id]': 'z'.repeat(255) })).uniqueId).not.toBe('')
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
    const fields = Object.entries(own).map(([name, value]) => [`event[${name}]`, value] as const)
    const event = await tracked(Object.fromEntries(fields))
    expect(event).toMatchObject({ properties: own })
    expect(event).not.toHaveProperty('value')
    expect(event.uniqueId).not.toBe('x')
  })

  it('takes 400 properties and none whose name reaches into a prototype', async () => {
    const names = Array.from({ length: 402 }, (_, index) => [`event[P${index}]`, 'x'] as const)
    expect(Object.keys((await tracked(Object.fromEntries(names))).properties)).toHaveLength(400)
    expect(door.leftOut()).toEqual({ 'event[P400]': 'more than 400 properties' })
    await door.clear()
    const { properties } = await tracked({
      'event[__proto__][polluted]': '1',
      'event[constructor]': '1',
      'event[Nested][prototype][polluted]': '1',
    })
    expect(properties).toEqual({ Nested: {} })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('event[trackOrder]', () => {
  it.each(['1', '', '0'])(
    'any value: send the order’s details and no custom event[PropertyName] values (%j)',
    async (value) => {
      const { id } = await saveOrder(door.payload, anOrder({ customerEmail: 'bob@shop.example' }))
      const order = await door.payload.findByID({ collection: 'orders', id })
      await door.clear()
      await track({
        'event[trackOrder]': value,
        'event[orderNumber]': String(order.number),
        'event[Topic]': 'Tea',
        'event[value]': '3',
        list: 'NEWS01',
      })
      expect(await door.event()).toMatchObject({ value: 42.5, valueCurrency: 'USD' })
      expect((await door.event()).properties).toHaveProperty('OrderID')
      expect((await door.event()).properties).not.toHaveProperty('Topic')
      const sends = (await door.sends()).map(({ message }) => [message.kind, message.profile.email])
      expect(new Set(sends)).toEqual(
        new Set([
          ['identify', 'ann@shop.example'],
          ['event', 'bob@shop.example'],
          ['list-add', 'ann@shop.example'],
        ]),
      )
    },
  )
})

import { describe, expect, it } from 'vitest'
import { anEvent, aProfile, aStandIn, manyEvents, paths, pointersOf } from './stand-in.fixture.js'

const deep = (levels: number): unknown => (levels === 0 ? 1 : { in: deep(levels - 1) })
const names = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, at]))
const metric = (name: string) => ({
  metric: { data: { type: 'metric', attributes: { name } } },
})
const text = (length: number) => ({ properties: { a: 'é'.repeat(length) } })
const list = (length: number) => ({ properties: { a: Array<number>(length).fill(0) } })

describe('An event', () => {
  it('is taken with 202 and no body, recorded, and makes its profile', async () => {
    const klaviyo = aStandIn()
    const answer = await klaviyo.call(paths.event, {
      body: anEvent(
        { value: 9.9, value_currency: 'USD', time: '2026-03-01T10:00:00.9Z' },
        aProfile({ email: 'ada@shop.test', first_name: 'Ada', properties: { tea: 'green' } }),
      ),
    })
    expect([answer.status, answer.document]).toEqual([202, undefined])
    expect(klaviyo.state.events).toMatchObject([
      {
        metric: 'Placed Order',
        uniqueId: 'order-1',
        time: Date.parse('2026-03-01T10:00:00Z'),
        value: 9.9,
        currency: 'USD',
        arrivals: 1,
      },
    ])
    expect(klaviyo.state.profileByEmail('ADA@shop.test')).toMatchObject({
      attributes: { email: 'ada@shop.test', first_name: 'Ada' },
      properties: { tea: 'green' },
    })
  })

  it.each<[pointer: string, within: object, beyond: object]>([
    ['metric/data/attributes/name', metric('x'.repeat(127)), metric('x'.repeat(128))],
    ['metric/data/attributes/name', metric('x'), metric(' ')],
    ['properties', { properties: names(400) }, { properties: names(401) }],
    ['properties/a', text(51_200), text(51_201)],
    ['properties/a', list(4000), list(4001)],
    [`properties${'/in'.repeat(10)}`, { properties: deep(10) }, { properties: deep(11) }],
    ['time', { time: '1991-01-01T00:00:00Z' }, { time: '1990-12-31T23:59:59Z' }],
    ['time', { time: '2027-03-10T14:30:00Z' }, { time: '2027-03-10T14:30:01Z' }],
    ['time', {}, { time: '2026-03-10T14:30:00' }],
    ['value_currency', { value_currency: 'EUR' }, { value_currency: 'dollars' }],
  ])(
    'is taken at the edge of a limit, and refused beyond it with the pointer: %s',
    async (...row) => {
      const [pointer, within, beyond] = row
      const klaviyo = aStandIn()
      const refused = await klaviyo.call(paths.event, { body: anEvent({ ...beyond }) })
      expect([refused.status, pointersOf(refused)]).toEqual([400, [`/data/attributes/${pointer}`]])
      expect(klaviyo.state.events).toEqual([])
      expect((await klaviyo.call(paths.event, { body: anEvent({ ...within }) })).status).toBe(202)
    },
  )
})

describe('A batch of events', () => {
  it('is refused whole for one bad item, whose place the pointer names', async () => {
    const klaviyo = aStandIn()
    const body = manyEvents([
      { event: { unique_id: 'good' } },
      { profile: aProfile({ email: 'nobody' }) },
      { event: { value: 'much' } },
    ])
    const answer = await klaviyo.call(paths.events, { body })
    const at = '/data/attributes/events-bulk-create/data'
    expect([answer.status, pointersOf(answer)]).toEqual([
      400,
      [
        `${at}/1/attributes/profile/data/attributes/email`,
        `${at}/2/attributes/events/data/0/attributes/value`,
      ],
    ])
    expect(klaviyo.state.profiles.size).toBe(0)
  })
})

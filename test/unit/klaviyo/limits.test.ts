import { describe, expect, it } from 'vitest'
import { klaviyoBounds } from '../../../src/klaviyo/limits.js'
import type { EventMessage } from '../../../src/klaviyo/message.js'
import type { JsonValue, Profile, Properties } from '../../../src/klaviyo/profile.js'
import { anEvent } from '../../klaviyo/messages.js'
import { accepted, answering, json } from './answering.js'

const email = 'anna@example.com'

const propertiesOf = (count: number): Properties =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, index]))

const nested = (levels: number): JsonValue => (levels === 0 ? 1 : { in: nested(levels - 1) })

/** A profile whose body is as many bytes, of texts that are each small enough. */
function profileOf(bytes: number): Profile {
  const empty = { email, properties: { a: '', b: '' } }
  const around = JSON.stringify({ data: { type: 'profile', attributes: empty } }).length
  const a = 'x'.repeat(50_000)
  return { email, properties: { a, b: 'x'.repeat(bytes - around - a.length) } }
}

interface Event {
  profile?: Profile
  event?: Partial<EventMessage['event']>
}

async function codeOf(event: Event) {
  const { platform, asked, options } = answering(accepted())
  const { outcomes } = await platform.trackEvent(anEvent(event), options)
  const [outcome] = outcomes
  expect(asked).toHaveLength(outcome?.is === 'delivered' ? 1 : 0)
  return outcome && 'error' in outcome ? `${outcome.is} ${outcome.error.code}` : outcome?.is
}

describe("The platform's limits, each at its edge", () => {
  it.each<[string, Event, Event, string]>([
    [
      'the length of a name',
      { event: { name: 'n'.repeat(127) } },
      { event: { name: 'n'.repeat(128) } },
      'EVENT_NAME_TOO_LONG',
    ],
    ['a name', { event: { name: 'n' } }, { event: { name: '' } }, 'EVENT_NAME_MISSING'],
    [
      'properties of an event',
      { event: { properties: propertiesOf(400) } },
      { event: { properties: propertiesOf(401) } },
      'TOO_MANY_PROPERTIES',
    ],
    [
      'properties of a profile',
      { profile: { email, properties: propertiesOf(400) } },
      { profile: { email, properties: propertiesOf(401) } },
      'TOO_MANY_PROPERTIES',
    ],
    [
      'bytes of a text',
      { event: { properties: { in: ['ä'.repeat(51_200)] } } },
      { event: { properties: { in: [`${'ä'.repeat(51_200)}x`] } } },
      'TEXT_TOO_LONG',
    ],
    [
      'items of a list',
      { event: { properties: { list: Array<number>(4000).fill(1) } } },
      { event: { properties: { list: Array<number>(4001).fill(1) } } },
      'ARRAY_TOO_LONG',
    ],
    [
      'depth',
      { event: { properties: { deep: nested(9) } } },
      { event: { properties: { deep: nested(10) } } },
      'TOO_DEEP',
    ],
    [
      'bytes of a profile',
      { profile: profileOf(102_400) },
      { profile: profileOf(102_401) },
      'TOO_LARGE',
    ],
    [
      'bytes of a call',
      { event: { properties: { list: Array<string>(49).fill('x'.repeat(100_000)) } } },
      { event: { properties: { list: Array<string>(50).fill('x'.repeat(100_000)) } } },
      'TOO_LARGE',
    ],
    [
      'an identifier',
      { profile: { email } },
      { profile: { firstName: 'A' } },
      'IDENTIFIER_MISSING',
    ],
  ])('%s', async (...[, within, beyond, code]) => {
    expect(await codeOf(within)).toBe('delivered')
    expect(await codeOf(beyond)).toBe(`refused ${code}`)
  })

  it('cost only the item that is beyond them', async () => {
    const { platform, asked, options } = answering(accepted())
    const events = [
      anEvent({ event: { uniqueId: '1' } }),
      anEvent({ event: { uniqueId: '2', name: 'n'.repeat(128) } }),
      anEvent({ event: { uniqueId: '3' } }),
    ]
    const { outcomes } = await platform.trackEvents(events, options)
    expect(outcomes.map(({ is }) => is)).toEqual(['delivered', 'refused', 'delivered'])
    expect(JSON.stringify(asked[0]?.body).match(/"unique_id":"\d"/g)).toEqual([
      '"unique_id":"1"',
      '"unique_id":"3"',
    ])
  })

  it('send those apart that are beyond them only as one profile', async () => {
    const { platform, asked, options } = answering(json(202, { data: { id: 'J' } }))
    const half = (start: number): Profile => ({
      email,
      properties: Object.fromEntries(Object.entries(propertiesOf(start + 300)).slice(start)),
    })
    const other = { email: 'berta@example.com' }
    const { outcomes } = await platform.importProfiles([half(0), other, half(300)], options)
    expect(outcomes.map(({ is }) => is)).toEqual(['culpritUnknown', 'delivered', 'culpritUnknown'])
    expect(JSON.stringify(asked[0]?.body)).toContain('berta@example.com')
  })

  it('leave the culprit unknown in a batch that is too large as a whole, without a call', async () => {
    const { platform, asked, options } = answering()
    const list = Array<string>(30).fill('x'.repeat(100_000))
    const events = ['1', '2'].map((uniqueId) =>
      anEvent({ event: { uniqueId, properties: { list } } }),
    )
    const { outcomes } = await platform.trackEvents(events, options)
    expect(outcomes).toMatchObject([
      { is: 'culpritUnknown', error: { code: 'TOO_LARGE' } },
      { is: 'culpritUnknown', error: { code: 'TOO_LARGE' } },
    ])
    expect(asked).toEqual([])
  })
})

describe('A full bulk call', () => {
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

  it('of a thousand events of a thousand profiles stays below the bytes of a call', async () => {
    const { platform, asked, options } = answering(accepted())
    const { items } = klaviyoBounds.calls.events
    const filling = 'x'.repeat(klaviyoBounds.bulkBytes / items - 172)
    const events = Array.from({ length: items }, (_, index) =>
      anEvent(
        {
          profile: { email: `visitor-${index}@example.com` },
          event: { uniqueId: `${index}`, value: 1, valueCurrency: 'EUR', properties: { filling } },
        },
        new Date(0),
      ),
    )
    const stored = events.reduce((sum, { message }) => sum + bytesOf(message), 0)
    expect(stored).toBeGreaterThan(klaviyoBounds.bulkBytes * 0.99)
    const { outcomes } = await platform.trackEvents(events, options)
    expect(new Set(outcomes.map(({ is }) => is))).toEqual(new Set(['delivered']))
    expect(asked).toHaveLength(1)
  })

  it('of ten thousand profiles does as well', async () => {
    const { platform, asked, options } = answering(json(202, { data: { id: 'J' } }))
    const { items } = klaviyoBounds.calls.profiles
    const profiles = Array.from({ length: items }, (_, index) => ({
      email: `visitor-${index}@example.com`,
      properties: { filling: 'x'.repeat(klaviyoBounds.bulkBytes / items - 95) },
    }))
    const stored = profiles.reduce(
      (sum, profile) => sum + bytesOf({ kind: 'identify', profile }),
      0,
    )
    expect(stored).toBeGreaterThan(klaviyoBounds.bulkBytes * 0.99)
    const { outcomes } = await platform.importProfiles(profiles, options)
    expect(outcomes[0]).toEqual({ is: 'delivered', job: 'J' })
    expect(asked).toHaveLength(1)
  })
})

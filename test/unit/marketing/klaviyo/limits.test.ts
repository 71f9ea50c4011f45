import { describe, expect, it } from 'vitest'
import { bulkBytes, callLimits } from '../../../../src/marketing/klaviyo/limits.js'
import type { EventMessage } from '../../../../src/marketing/klaviyo/message.js'
import type { JsonValue, Profile, Properties } from '../../../../src/marketing/klaviyo/profile.js'
import { anEvent } from '../../../marketing/klaviyo/messages.js'
import { accepted, answering } from './answering.js'

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

async function codeOf(profile: Profile, event: Partial<EventMessage['event']>) {
  const { klaviyo, asked, options } = answering(accepted())
  const { outcomes } = await klaviyo.trackEvent(anEvent({ profile, event }), options)
  const [outcome] = outcomes
  expect(asked).toHaveLength(outcome?.is === 'delivered' ? 1 : 0)
  return outcome && 'error' in outcome ? `${outcome.is} ${outcome.error.code}` : outcome?.is
}

describe("The platform's limits, each at its edge", () => {
  const long = 'x'.repeat(100_000)
  const text = 'ä'.repeat(51_200)

  it.each<[string, JsonValue, JsonValue, string]>([
    ['texts', { in: [text] }, { in: [`${text}x`] }, 'TEXT_TOO_LONG'],
    ['lists', { in: Array(4000).fill(1) }, { in: Array(4001).fill(1) }, 'ARRAY_TOO_LONG'],
    ['depth', { in: nested(9) }, { in: nested(10) }, 'TOO_DEEP'],
    ['names', propertiesOf(400), propertiesOf(401), 'TOO_MANY_PROPERTIES'],
    ['all', { in: Array(49).fill(long) }, { in: Array(50).fill(long) }, 'TOO_LARGE'],
  ])('%s of the properties of an event', async (...[, within, beyond, code]) => {
    const withProperties = (properties: JsonValue) =>
      codeOf({ email }, { properties: properties as Properties })
    expect(await withProperties(within)).toBe('delivered')
    expect(await withProperties(beyond)).toBe(`refused ${code}`)
  })

  it('the name of an event, and its profile', async () => {
    const name = (length: number) => codeOf({ email }, { name: 'n'.repeat(length) })
    expect([await name(0), await name(1)]).toEqual(['refused EVENT_NAME_MISSING', 'delivered'])
    expect([await name(127), await name(128)]).toEqual(['delivered', 'refused EVENT_NAME_TOO_LONG'])
    const ofProfile = (profile: Profile) => codeOf(profile, {})
    const many = (count: number) => ofProfile({ email, properties: propertiesOf(count) })
    expect([await many(400), await many(401)]).toEqual(['delivered', 'refused TOO_MANY_PROPERTIES'])
    expect(await ofProfile(profileOf(102_400))).toBe('delivered')
    expect(await ofProfile(profileOf(102_401))).toBe('refused TOO_LARGE')
    expect(await ofProfile({ firstName: 'A' })).toBe('refused IDENTIFIER_MISSING')
  })

  it('cost only the item that is beyond them', async () => {
    const { klaviyo, asked, options } = answering(accepted())
    const events = [
      anEvent({ event: { uniqueId: '1' } }),
      anEvent({ event: { uniqueId: '2', name: 'n'.repeat(128) } }),
      anEvent({ event: { uniqueId: '3' } }),
    ]
    const { outcomes } = await klaviyo.trackEvents(events, options)
    expect(outcomes.map(({ is }) => is)).toEqual(['delivered', 'refused', 'delivered'])
    expect(JSON.stringify(asked[0]?.body).match(/"unique_id":"\d"/g)).toEqual([
      '"unique_id":"1"',
      '"unique_id":"3"',
    ])
  })

  it('send those apart that are beyond them only as one profile', async () => {
    const { klaviyo, asked, options } = answering(accepted())
    const half = (start: number): Profile => ({
      email,
      properties: Object.fromEntries(Object.entries(propertiesOf(start + 300)).slice(start)),
    })
    const other = { email: 'berta@example.com' }
    const { outcomes } = await klaviyo.trackEvents(
      [half(0), other, half(300)].map((profile, place) =>
        anEvent({ profile, event: { uniqueId: `${place}` } }),
      ),
      options,
    )
    expect(outcomes.map(({ is }) => is)).toEqual(['culpritUnknown', 'delivered', 'culpritUnknown'])
    expect(JSON.stringify(asked[0]?.body)).toContain('berta@example.com')
  })

  it('leave the culprit unknown in a batch that is too large as a whole, without a call', async () => {
    const { klaviyo, asked, options } = answering()
    const list = Array<string>(30).fill('x'.repeat(100_000))
    const events = ['1', '2'].map((uniqueId) =>
      anEvent({ event: { uniqueId, properties: { list } } }),
    )
    const tooLarge = { is: 'culpritUnknown', error: { code: 'TOO_LARGE' } }
    const { outcomes } = await klaviyo.trackEvents(events, options)
    expect(outcomes).toMatchObject([tooLarge, tooLarge])
    expect(asked).toEqual([])
  })
})

describe('A full bulk call', () => {
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

  it('of a thousand events of a thousand profiles stays below the bytes of a call', async () => {
    const { klaviyo, asked, options } = answering(accepted())
    const { items } = callLimits.events
    const filling = 'x'.repeat(bulkBytes / items - 172)
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
    expect(stored).toBeGreaterThan(bulkBytes * 0.99)
    const { outcomes } = await klaviyo.trackEvents(events, options)
    expect(new Set(outcomes.map(({ is }) => is))).toEqual(new Set(['delivered']))
    expect(asked).toHaveLength(1)
  })
})

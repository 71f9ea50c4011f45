import { describe, expect, it } from 'vitest'
import { boundProfile, type Profile } from '../../../../src/marketing/klaviyo/profile.js'
import { messageLimits } from '../../../../src/marketing/klaviyo/limits.js'
import { readProperties } from '../../../../src/marketing/klaviyo/properties.js'

const read = (source: Record<string, unknown>, except?: ReadonlySet<string>) => {
  const leftOut: Record<string, string> = {}
  const properties = readProperties(source, {
    field: 'event',
    ...(except && { except }),
    leaveOut: (field, reason) => void (leftOut[field] = reason),
  })
  return { properties, leftOut }
}

const nested = (depth: number): unknown => (depth === 0 ? 'end' : { a: nested(depth - 1) })

describe('readProperties', () => {
  it('takes texts, numbers, truth values, lists and objects as they are', () => {
    const source = { a: 'x', b: 1.5, c: false, d: null, e: ['x', { f: ['y'] }] }
    expect(read(source)).toEqual({ properties: source, leftOut: {} })
  })

  it('takes nothing that a JSON document cannot hold', () => {
    const source = { a: undefined, b: NaN, c: () => 1, d: Symbol('d'), e: 1n, f: [undefined, 'x'] }
    expect(read(source).properties).toEqual({ f: ['x'] })
  })

  it('leaves the excepted names alone', () => {
    expect(read({ name: 'x', Topic: 'Tea' }, new Set(['name']))).toEqual({
      properties: { Topic: 'Tea' },
      leftOut: {},
    })
  })

  it('leaves out what is beyond a limit, in bytes of UTF-8, and keeps what is at it', () => {
    const { textBytes, depth, arrayItems } = messageLimits
    const text = 'ä'.repeat(textBytes / 2)
    const fits = { text, deep: nested(depth - 1), list: Array<string>(arrayItems).fill('x') }
    expect(read(fits)).toEqual({ properties: fits, leftOut: {} })
    const beyond = { text: `${text}x`, deep: nested(depth), list: [...fits.list, 'x'], b: 'x' }
    const { properties, leftOut } = read(beyond)
    expect(properties).toMatchObject({ list: fits.list, b: 'x' })
    expect(JSON.stringify(properties)).not.toMatch(/ä|end/)
    expect(Object.values(leftOut)).toEqual([
      'longer than 102400 bytes',
      'nested deeper than 10 levels',
      'more than 4000 items',
    ])
    expect(leftOut).toHaveProperty('event[text]')
  })
})

describe('boundProfile', () => {
  const bound = (profile: Profile) => {
    const fields: string[] = []
    return { profile: boundProfile(profile, (field) => void fields.push(field)), fields }
  }
  const email = 'ann@shop.example'

  it('leaves out what makes a profile larger than 100 KB, the identifiers last', () => {
    const common = { email, location: { city: 'Bonn' }, properties: { Size: 'M', Tags: ['a'] } }
    expect(bound(common)).toEqual({ profile: common, fields: [] })
    const firstName = 'a'.repeat(60_000)
    const long = 'b'.repeat(60_000)
    const location = { city: long, country: 'DE' }
    const properties = { Long: long, Short: 'd' }
    expect(bound({ email, firstName, location, properties })).toEqual({
      profile: { email, firstName, location: { country: 'DE' }, properties: { Short: 'd' } },
      fields: ['profile[location][city]', 'profile[properties][Long]'],
    })
  })

  it('measures bytes as they are sent, not characters', () => {
    const { fields } = bound({ email, properties: { Quotes: '"'.repeat(60_000) } })
    expect(fields).toEqual(['profile[properties][Quotes]'])
  })
})

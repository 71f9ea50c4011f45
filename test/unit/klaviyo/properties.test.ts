import { describe, expect, it } from 'vitest'
import { platformLimits } from '../../../src/klaviyo/limits.js'
import { readProperties } from '../../../src/klaviyo/properties.js'

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

  it('measures a text in bytes of UTF-8', () => {
    const fits = 'ä'.repeat(platformLimits.textBytes / 2)
    expect(read({ a: fits }).properties).toEqual({ a: fits })
    expect(read({ a: `${fits}x` })).toEqual({
      properties: {},
      leftOut: { 'event[a]': 'longer than 102400 bytes' },
    })
  })

  it('leaves out what is nested deeper than the platform takes, and keeps what is around it', () => {
    const deep = read({ a: nested(platformLimits.depth - 1), b: 'x' })
    expect(deep.leftOut).toEqual({})
    const tooDeep = read({ a: nested(platformLimits.depth), b: 'x' })
    expect(tooDeep.properties).toHaveProperty('b', 'x')
    expect(JSON.stringify(tooDeep.properties)).not.toContain('end')
    expect(Object.values(tooDeep.leftOut)).toEqual(['nested deeper than 10 levels'])
  })

  it('cuts a list after as many items as the platform takes', () => {
    const { properties, leftOut } = read({
      a: Array.from({ length: platformLimits.arrayItems + 1 }, () => 'x'),
    })
    expect(properties.a).toHaveLength(platformLimits.arrayItems)
    expect(leftOut).toEqual({ 'event[a]': 'more than 4000 items' })
  })
})

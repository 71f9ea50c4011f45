import { describe, expect, it } from 'vitest'
import { honeypotParameter, isRobot } from '../../../src/forms/form-guard.js'

const issuedAt = new Date('2026-03-10T12:00:00Z')
const after = (ms: number) => new Date(issuedAt.getTime() + ms)
const unguarded = { issuedAt, guard: undefined }
const guarded = { issuedAt, guard: { minimumSeconds: 3 } }

describe('isRobot', () => {
  it('takes whoever leaves the hidden field alone for a person', () => {
    for (const tree of [{}, { [honeypotParameter]: '' }, { [honeypotParameter]: '  ' }]) {
      expect(isRobot(unguarded, tree, issuedAt)).toBe(false)
    }
  })

  it.each(['https://spam.example', '0', ['x'], { a: 'b' }, null])(
    'knows a robot by %j in the hidden field',
    (value) => {
      expect(isRobot(unguarded, { [honeypotParameter]: value }, after(60_000))).toBe(true)
    },
  )

  it('knows a robot by being faster than the form asked for, to the millisecond', () => {
    expect(isRobot(guarded, {}, after(2999))).toBe(true)
    expect(isRobot(guarded, {}, after(3000))).toBe(false)
    expect(isRobot(guarded, {}, after(-1))).toBe(true)
  })

  it('takes nobody for a robot because the clock that issued the token was ahead', () => {
    expect(isRobot(guarded, {}, after(-120_000))).toBe(false)
    expect(isRobot(guarded, {}, after(-3_600_000))).toBe(false)
  })
})

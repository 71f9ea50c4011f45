import { expect, it } from 'vitest'
import { honeypotParameter, isRobot } from '../../../../src/marketing/forms/form-guard.js'

const issuedAt = new Date('2026-03-10T12:00:00Z')
const after = (ms: number) => new Date(issuedAt.getTime() + ms)
const unguarded = { issuedAt, guard: undefined }
const guarded = { issuedAt, guard: { minimumSeconds: 3 } }

it('a robot is known by the hidden field, which a person leaves alone', () => {
  for (const tree of [{}, { [honeypotParameter]: '' }, { [honeypotParameter]: '  ' }]) {
    expect(isRobot(unguarded, tree, issuedAt)).toBe(false)
  }
  for (const value of ['https://spam.example', '0', ['x'], { a: 'b' }, null]) {
    expect(isRobot(unguarded, { [honeypotParameter]: value }, after(60_000))).toBe(true)
  }
})

it.each([
  [2999, true],
  [3000, false],
  [-1, true],
  // The clock that issued the token was ahead.
  [-120_000, false],
  [-3_600_000, false],
])('a robot is known by being faster than the form asked for: %i ms, %s', (ms, expected) => {
  expect(isRobot(guarded, {}, after(ms))).toBe(expected)
})

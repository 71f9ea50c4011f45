import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { realEffects } from '../../../src/effects.js'
import { createCsrfTokens, guardLimitSeconds } from '../../../src/http/csrf.js'
import { propertyRuns, propertyTimeoutMs } from '../../support/property-runs.js'
import { mutationsOf } from '../../support/mutations.js'

const now = new Date('2026-03-10T12:00:00Z')
const effects = { ...realEffects, now: () => now }
const tokens = createCsrfTokens({ secret: 'a secret of the store', effects })

describe('createCsrfTokens', () => {
  it('knows its own tokens again, with the moment of issue and the guard', () => {
    expect(tokens.verify(tokens.issue('visitor'), 'visitor')).toEqual({
      issuedAt: now,
      guard: undefined,
    })
    for (const minimumSeconds of [0, 3, guardLimitSeconds]) {
      const token = tokens.issue('visitor', { minimumSeconds })
      expect(tokens.verify(token, 'visitor')).toEqual({ issuedAt: now, guard: { minimumSeconds } })
    }
  })

  it('gives each page another token', () => {
    const issued = Array.from({ length: 50 }, () => tokens.issue('visitor'))
    expect(new Set(issued).size).toBe(50)
  })

  it('takes a token from its own session alone', () => {
    const token = tokens.issue('visitor')
    for (const other of ['', 'visito', 'visitor ', 'Visitor', 'somebody else', '__proto__']) {
      expect(tokens.verify(token, other), other).toBeUndefined()
    }
  })

  it('takes no token that was made with another secret', () => {
    const others = createCsrfTokens({ secret: 'a secret of another store', effects })
    expect(tokens.verify(others.issue('visitor'), 'visitor')).toBeUndefined()
  })

  it('works in another process with the same secret', () => {
    const elsewhere = createCsrfTokens({ secret: 'a secret of the store', effects })
    expect(elsewhere.verify(tokens.issue('visitor'), 'visitor')).toBeDefined()
  })

  it.each(['', '.', '...', 'undefined', '[object Object]', 'é'.repeat(100), 'a'.repeat(200_000)])(
    'takes no %.20s for a token',
    (text) => {
      expect(tokens.verify(text, 'visitor')).toBeUndefined()
    },
  )

  it('does not let a robot take its guard away or shorten it', () => {
    const token = tokens.issue('visitor', { minimumSeconds: 30 })
    expect(tokens.verify(token.replace('.30.', '..'), 'visitor')).toBeUndefined()
    expect(tokens.verify(token.replace('.30.', '.3.'), 'visitor')).toBeUndefined()
    expect(tokens.verify(token.replace('.30.', '.030.'), 'visitor')).toBeUndefined()
  })

  it.each([-1, 1.5, NaN, guardLimitSeconds + 1])('refuses a guard of %d seconds', (seconds) => {
    const guard = { minimumSeconds: seconds }
    expect(() => tokens.issue('visitor', guard)).toThrow(TypeError)
  })

  it(
    'takes no mutation of a token',
    () => {
      const token = tokens.issue('visitor', { minimumSeconds: 4 })
      fc.assert(
        fc.property(mutationsOf(token), (mutation) => {
          expect(tokens.verify(mutation, 'visitor') === undefined).toBe(mutation !== token)
        }),
        { numRuns: propertyRuns },
      )
    },
    propertyTimeoutMs,
  )
})

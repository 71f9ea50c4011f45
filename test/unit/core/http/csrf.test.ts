import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { realEffects } from '../../../../src/core/effects.js'
import { createCsrfTokens } from '../../../../src/core/http/csrf.js'
import { propertyRuns, propertyTimeoutMs } from '../../../support/property-runs.js'
import { mutationsOf } from '../../../support/mutations.js'

const now = new Date('2026-03-10T12:00:00Z')
const effects = { ...realEffects, now: () => now }
const tokens = createCsrfTokens({ secret: 'a secret of the store', effects })

describe('createCsrfTokens', () => {
  it('takes a token from its own session alone', () => {
    const token = tokens.issue('visitor')
    for (const other of ['', 'visito', 'visitor ', 'Visitor', 'somebody else', '__proto__']) {
      expect(tokens.verify(token, other), other).toBeUndefined()
    }
  })

  it('does not let a robot take its guard away or shorten it', () => {
    const token = tokens.issue('visitor', { minimumSeconds: 30 })
    expect(tokens.verify(token.replace('.30.', '..'), 'visitor')).toBeUndefined()
    expect(tokens.verify(token.replace('.30.', '.3.'), 'visitor')).toBeUndefined()
    expect(tokens.verify(token.replace('.30.', '.030.'), 'visitor')).toBeUndefined()
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

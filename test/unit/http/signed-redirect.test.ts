import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { derivedKey } from '../../../src/database/derived-key.js'
import { createSignedRedirects } from '../../../src/http/redirect-target.js'
import { mutationsOf } from '../../support/mutations.js'
import { propertyRuns, propertyTimeoutMs } from '../../support/property-runs.js'

const secret = 'a secret of the store'
const redirects = createSignedRedirects({ secret })

describe('createSignedRedirects', () => {
  it.each([
    ['/thanks', '/thanks'],
    ['/thanks?a=1&b=%20#top', '/thanks?a=1&b=%20#top'],
    ['thanks', '/thanks'],
    ['?step=2', '/?step=2'],
    ['/größe', '/gr%C3%B6%C3%9Fe'],
    ['/a/../b/./c', '/b/c'],
    ['https://shop.example', 'https://shop.example/'],
    ['http://localhost:3000/cart', 'http://localhost:3000/cart'],
    ['HTTPS://Shop.Example/Cart', 'https://shop.example/Cart'],
  ])('signs %s and reads it back as %s', (target, expected) => {
    expect(redirects.read(redirects.sign(target))).toBe(expected)
  })

  it.each(['csrf', 'session'])('does not read what was signed for the purpose %s', (purpose) => {
    const mac = (key: Buffer | string) =>
      createHmac('sha256', key).update('/thanks').digest('base64url')
    expect(redirects.read(`${mac(derivedKey(secret, purpose))}./thanks`)).toBeUndefined()
    expect(redirects.read(`${mac(secret)}./thanks`)).toBeUndefined()
    expect(redirects.read(`${mac(derivedKey(secret, 'redirect'))}./thanks`)).toBe('/thanks')
  })

  it.each(['https://shop.example/thanks?order=12', '/thanks?order=12'])(
    'never reads a mutation of %s as anything',
    (target) => {
      const value = redirects.sign(target)
      fc.assert(
        fc.property(mutationsOf(value), (mutation) => {
          const read = redirects.read(mutation)
          expect(read).toBe(mutation === value ? target : undefined)
        }),
        { numRuns: propertyRuns },
      )
    },
    propertyTimeoutMs,
  )
})

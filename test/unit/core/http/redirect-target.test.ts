import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { derivedKey } from '../../../../src/core/signing.js'
import { createSignedRedirects, redirectTarget } from '../../../../src/core/http/redirect-target.js'
import { mutationsOf } from '../../../support/mutations.js'
import { propertyRuns, propertyTimeoutMs } from '../../../support/property-runs.js'

const secret = 'a secret of the store'
const redirects = createSignedRedirects({ secret })

describe('createSignedRedirects', () => {
  it.each([
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

describe('redirectTarget', () => {
  it.each([
    '',
    ' ',
    ' /thanks',
    '/thanks ',
    '\u00a0/thanks',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/thanks\\..',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    './/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/thanks\r\nset-cookie: a=b',
    '/thanks\0',
    '/thanks\u0085',
    'java\tscript:alert(1)',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'mailto:a@b.example',
    'ftp://shop.example/',
    'blob:https://shop.example/1',
    'https://user@evil.example/',
    'https://shop.example@evil.example/',
    'https://:secret@shop.example/',
    'https://',
    'https://shop.example:99999/',
    '/\ud800',
  ])('refuses %j', (target) => {
    expect(() => redirectTarget(target)).toThrow(TypeError)
  })

  it(
    'gives nothing but an http(s) URL, or a path on the origin that it is opened on',
    () => {
      const seeds = fc.constantFrom(
        '/thanks',
        'https://shop.example/a?b#c',
        '/a/../b',
        './/x',
        '//x',
      )
      fc.assert(
        fc.property(seeds.chain(mutationsOf), (target) => {
          let given: string
          try {
            given = redirectTarget(target)
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError)
            return
          }
          const opened = new URL(given, 'https://here.example/actions/x')
          if (given.startsWith('/')) expect(opened.origin).toBe('https://here.example')
          else expect(opened.href).toBe(given)
          expect(['http:', 'https:']).toContain(opened.protocol)
          expect(opened.username + opened.password).toBe('')
          // Fit for a header.
          expect(given).toMatch(/^[\x21-\x7e]+$/)
        }),
        { numRuns: propertyRuns },
      )
    },
    propertyTimeoutMs,
  )
})

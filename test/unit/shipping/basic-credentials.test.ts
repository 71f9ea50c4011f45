import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { credentialsMatch, readBasicCredentials } from '../../../src/shipping/shipping-access.js'

const header = (authorization: string) => readBasicCredentials(new Headers({ authorization }))
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64')

// A username cannot hold a colon (RFC 7617); text that came over HTTP is well-formed.
const unicode = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed())
const username = unicode.map((text) => text.replaceAll(':', ''))

describe('readBasicCredentials', () => {
  it('reads back any pair of Unicode texts whose username has no colon', () => {
    fc.assert(
      fc.property(username, unicode, (name, password) => {
        expect(header(`Basic ${base64(`${name}:${password}`)}`)).toEqual({
          username: name,
          password,
        })
      }),
    )
  })

  it('takes base64 without its padding, and several spaces behind the scheme', () => {
    const written = `Basic   ${base64('ab:c').replaceAll('=', '')}`
    expect(header(written)).toEqual({ username: 'ab', password: 'c' })
  })
})

describe('credentialsMatch', () => {
  const filled = unicode.filter((text) => text !== '')

  it('accepts exactly the right pair, for arbitrary Unicode pairs', () => {
    fc.assert(
      fc.property(fc.tuple(filled, filled), fc.tuple(unicode, unicode), (right, other) => {
        const expected = { username: right[0], password: right[1] }
        for (const username of [right[0], other[0]]) {
          for (const password of [right[1], other[1]]) {
            expect(credentialsMatch({ username, password }, expected)).toBe(
              username === expected.username && password === expected.password,
            )
          }
        }
      }),
    )
  })

  it('does not move the colon between the halves', () => {
    expect(
      credentialsMatch({ username: 'a', password: 'b:c' }, { username: 'a:b', password: 'c' }),
    ).toBe(false)
  })
})

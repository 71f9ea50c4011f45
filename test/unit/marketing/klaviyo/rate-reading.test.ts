import { describe, expect, it } from 'vitest'
import { readRate } from '../../../../src/marketing/klaviyo/call.js'

const now = new Date('2026-07-15T12:00:00Z')
const read = (headers: Record<string, string>, status = 202) =>
  readRate(status, new Headers(headers), now)

describe('What an answer says of the limits', () => {
  it('is read from the three headers of the steady window', () => {
    expect(
      read({ 'RateLimit-Limit': '150', 'RateLimit-Remaining': '7', 'RateLimit-Reset': '42' }),
    ).toEqual({ limit: 150, remaining: 7, resetSeconds: 42 })
  })

  it.each([
    ['150', 150],
    ['10, 10;w=1, 150;w=60', 150],
    ['3500, 350;w=1, 3500;w=60', 3500],
    ['150, 10;w=600', undefined],
    ['-1', undefined],
    ['', undefined],
  ])('reads the limit %o as %o', (header, limit) => {
    expect(read({ 'ratelimit-limit': header })?.limit).toBe(limit)
  })

  it.each([
    ['30', 30],
    ['1.2', 2],
    ['Wed, 15 Jul 2026 12:01:30 GMT', 90],
    ['Wed, 15 Jul 2026 11:00:00 GMT', 0],
    ['-5', undefined],
    ['999999999', 3600],
    ['Fri, 15 Jul 2033 12:00:00 GMT', 3600],
  ])('reads a Retry-After of %o as %o seconds', (header, seconds) => {
    expect(read({ 'retry-after': header }, 429)?.retryAfterSeconds).toBe(seconds)
  })

  it('is nothing where no header speaks, or one of an answer that is no 429 says to wait', () => {
    expect(read({})).toBeUndefined()
    expect(read({ 'retry-after': '30' }, 503)).toBeUndefined()
  })
})

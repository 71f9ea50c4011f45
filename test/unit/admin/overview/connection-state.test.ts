import { describe, expect, it } from 'vitest'
import { marketingState, shippingState } from '../../../../src/admin/overview/connection-state.js'
import { en } from '../../../../src/translations/en.js'

const now = new Date('2026-11-21T12:00:00.000Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

describe('ShipStation', () => {
  const open = { credentials: { username: 'ship', password: 'secret' } }
  const pullOf = (at: Date) => ({ at, orders: 1, pages: 1 })
  const wordOf = (settings: typeof open, at?: Date) =>
    en[shippingState(settings, at && pullOf(at), now).word]

  it.each([
    { username: '', password: 'secret' },
    { username: 'ship', password: '' },
  ])('is not set up while nobody can get in: %j', (credentials) => {
    expect(wordOf({ credentials }, hoursAgo(1))).toBe('Not set up')
  })

  it('is ready until it comes for the first time', () => {
    expect(wordOf(open)).toBe('Ready')
  })

  it('is connected when it came within a day, and quiet after that', () => {
    expect(wordOf(open, hoursAgo(24))).toBe('Connected')
    expect(wordOf(open, hoursAgo(24.1))).toBe('Quiet')
  })
})

describe('Klaviyo', () => {
  const status = { keyProblem: undefined, pauses: [] }
  const pausedBy = (reason: string) => ({
    ...status,
    pauses: [{ call: 'events' as const, reason, until: now }],
  })

  it.each([
    ['Not set up', { ...status, keyProblem: 'missing' as const }, hoursAgo(1)],
    ['Not set up', { ...status, keyProblem: 'variable-missing' as const }, hoursAgo(1)],
    ['Refused', pausedBy('misconfigured'), hoursAgo(1)],
    ['Paused', pausedBy('outage'), hoursAgo(1)],
    ['Connected', pausedBy('rate-limited'), hoursAgo(1)],
    ['Ready', status, undefined],
    ['Connected', status, hoursAgo(1000)],
  ])('is %s', (word, given, lastSentAt) => {
    expect(en[marketingState(given, lastSentAt).word]).toBe(word)
  })

  it('says what to do about whatever keeps sends waiting', () => {
    for (const reason of ['misconfigured', 'outage']) {
      expect(marketingState(pausedBy(reason), now).advice).toBeDefined()
    }
    expect(marketingState(status, now).advice).toBeUndefined()
  })
})

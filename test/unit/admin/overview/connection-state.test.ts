import { describe, expect, it } from 'vitest'
import { marketingState, shippingState } from '../../../../src/admin/overview/connection-state.js'
import { en } from '../../../../src/translations/en.js'

const now = new Date('2026-11-21T12:00:00.000Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

describe('ShipStation', () => {
  const open = { credentials: { username: 'ship', password: 'secret' } }
  const pullOf = (at: Date) => ({ at, orders: 1, pages: 1 })
  const never = { lastPull: undefined, lastFailure: undefined, lastShipment: undefined }
  const wordOf = (settings: typeof open, at?: Date) =>
    en[shippingState(settings, { ...never, lastPull: at && pullOf(at) }, now).word]

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

  it.each([
    ['Failing', 'export', { pulledHours: undefined, shippedHours: 1 }],
    ['Failing', 'export', { pulledHours: 3, shippedHours: 1 }],
    ['Connected', 'export', { pulledHours: 1, shippedHours: 3 }],
    ['Failing', 'shipnotify', { pulledHours: 1, shippedHours: undefined }],
    ['Failing', 'shipnotify', { pulledHours: 1, shippedHours: 3 }],
    ['Connected', 'shipnotify', { pulledHours: 1, shippedHours: 1 }],
  ] as const)('is %s when %s failed two hours ago: %j', (word, action, hours) => {
    const { pulledHours, shippedHours } = hours
    const reading = {
      lastFailure: { at: hoursAgo(2), action, code: 'UNEXPECTED' as const },
      lastPull: pulledHours && pullOf(hoursAgo(pulledHours)),
      lastShipment: shippedHours && { at: hoursAgo(shippedHours), reference: 'A', carrier: '' },
    }
    expect(en[shippingState(open, reading, now).word]).toBe(word)
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

import fc from 'fast-check'
import { DateTime } from 'luxon'
import { describe, expect, it } from 'vitest'
import { businessTimeAgo } from '../../../src/shipping/business-time.js'

const hourMs = 3_600_000
const ago = (now: string, hours: number, zone = 'Europe/Berlin') =>
  DateTime.fromJSDate(
    businessTimeAgo(DateTime.fromISO(now, { zone }).toJSDate(), hours * hourMs, zone),
    { zone },
  ).toFormat('ccc yyyy-MM-dd HH:mm')

describe('businessTimeAgo', () => {
  it('passes over the days of a weekend', () => {
    expect(ago('2026-11-27T18:00', 12)).toBe('Fri 2026-11-27 06:00')
    expect(ago('2026-11-30T05:00', 12)).toBe('Fri 2026-11-27 17:00')
    expect(ago('2026-11-29T12:00', 12)).toBe('Fri 2026-11-27 12:00')
    expect(ago('2026-12-02T17:00', 72)).toBe('Fri 2026-11-27 17:00')
  })

  it('counts the days of the zone, also one of 23 hours', () => {
    // Sunday in Auckland is Saturday in Berlin.
    expect(ago('2026-11-30T00:30', 1, 'Pacific/Auckland')).toBe('Fri 2026-11-27 23:30')
    expect(ago('2026-03-29T12:00', 24)).toBe('Fri 2026-03-27 00:00')
  })

  it('is never later than the same time of any days, and at most twice as long ago and a weekend', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e12 }),
        fc.integer({ min: 1, max: 1_000 }),
        (at, hours) => {
          const now = new Date(1e12 + at)
          const wentMs =
            now.getTime() - businessTimeAgo(now, hours * hourMs, 'Europe/Berlin').getTime()
          expect(wentMs).toBeGreaterThanOrEqual(hours * hourMs)
          expect(wentMs).toBeLessThanOrEqual((2 * hours + 50) * hourMs)
        },
      ),
    )
  })
})

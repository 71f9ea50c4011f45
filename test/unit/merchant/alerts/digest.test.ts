import { describe, expect, it } from 'vitest'
import { digestDue } from '../../../../src/merchant/alerts/digest.js'

const begunAt = (text: string) => ({ begunAt: new Date(text) })

describe('The reminder of a day', () => {
  const yesterday = begunAt('2026-11-22T12:00:00Z')
  const due = (now: string, open = [yesterday], timezone = 'Europe/Berlin') =>
    digestDue(open, { now: new Date(now), hour: 8, timezone })

  it('is due from its hour in the shop on, with the day of the shop', () => {
    expect(due('2026-11-23T06:59:59Z')).toBeUndefined()
    expect(due('2026-11-23T07:00:00Z')?.day).toBe('2026-11-23')
    expect(due('2026-11-23T22:59:59Z')?.day).toBe('2026-11-23')
    expect(due('2026-11-23T23:00:00Z')).toBeUndefined()
    expect(due('2026-11-22T23:00:00Z', [yesterday], 'Pacific/Auckland')?.day).toBe('2026-11-23')
  })

  it('leaves out what began after its hour, which was just reported', () => {
    const today = begunAt('2026-11-23T07:00:01Z')
    expect(due('2026-11-23T09:00:00Z', [yesterday, today])?.alerts).toEqual([yesterday])
    expect(due('2026-11-23T09:00:00Z', [today])).toBeUndefined()
    expect(due('2026-11-24T07:00:00Z', [today])?.alerts).toEqual([today])
  })
})

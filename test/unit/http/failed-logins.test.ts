import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFailedLogins, failedLoginsPerMinute } from '../../../src/http/failed-logins.js'

describe('createFailedLogins', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-03-10T12:00:00Z') })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const fail = async (times: number, address = '192.0.2.1', logins = createFailedLogins()) => {
    const waits: number[] = []
    for (let count = 0; count < times; count += 1) {
      waits.push(await logins.secondsToWait(address))
    }
    return { waits, logins }
  }

  it('lets an address fail ten times a minute, and makes it wait from the eleventh on', async () => {
    expect(failedLoginsPerMinute).toBe(10)
    const { waits } = await fail(12)
    expect(waits).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 60, 60])
  })

  it('tells the seconds that are left, and lets the address go on when they are over', async () => {
    const { logins } = await fail(11)
    vi.advanceTimersByTime(45_000)
    expect(await logins.secondsToWait('192.0.2.1')).toBe(15)
    vi.advanceTimersByTime(15_001)
    expect(await logins.secondsToWait('192.0.2.1')).toBe(0)
  })

  it('counts each address for itself', async () => {
    const { logins } = await fail(20)
    expect(await logins.secondsToWait('192.0.2.2')).toBe(0)
    expect(await logins.secondsToWait('2001:db8::1')).toBe(0)
  })

  it('counts an address in all its spellings, and IPv6 by what one subscriber has', async () => {
    const { logins } = await fail(9)
    expect(await logins.secondsToWait('::ffff:192.0.2.1')).toBe(0)
    expect(await logins.secondsToWait('::FFFF:c000:201')).toBe(60)
    await fail(10, '2001:db8:1:2::1', logins)
    expect(await logins.secondsToWait('2001:db8:1:2:ffff::9')).toBe(60)
    expect(await logins.secondsToWait('2001:db8:1:3::1')).toBe(0)
  })

  it('counts what is no address by its text', async () => {
    const { logins } = await fail(10, 'a name')
    expect(await logins.secondsToWait('a name')).toBe(60)
    expect(await logins.secondsToWait('another')).toBe(0)
  })
})

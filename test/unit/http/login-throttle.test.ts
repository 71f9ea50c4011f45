import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { realEffects } from '../../../src/effects.js'
import {
  createLoginThrottle,
  triedLoginsPerAccount,
  triedLoginsPerMinute,
} from '../../../src/http/login-throttle.js'
import type { SharedCounts } from '../../../src/database/shared-counts.js'
import { memoryCounts } from '../../support/memory-counts.js'

describe('createLoginThrottle', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-03-10T12:00:00Z') })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const errors: unknown[] = []
  const log = { error: (fields: Record<string, unknown>) => void errors.push(fields.err) }
  const open = (counts: SharedCounts = memoryCounts(), kind = 'customers') => {
    errors.splice(0)
    const throttle = createLoginThrottle(kind, { counts, log, now: realEffects.now })
    return {
      throttle,
      /** Every try is for another account, unless it says which. */
      fail: async (times: number, clientIp?: string, account?: string) => {
        const waits: number[] = []
        for (let count = 0; count < times; count += 1) {
          waits.push(await throttle.try({ clientIp, account: account ?? `account-${count}` }))
        }
        return waits
      },
    }
  }
  const zeros = (count: number) => Array<number>(count).fill(0)

  it('counts an IPv6 network as one, and gives its count back', async () => {
    const { throttle } = open()
    for (let host = 1; host <= triedLoginsPerMinute; host += 1) {
      expect(await throttle.try({ clientIp: `2001:db8::${host}`, account: `a${host}` })).toBe(0)
    }
    expect(await throttle.try({ clientIp: '2001:db8::ffff', account: 'a' })).toBeGreaterThan(0)

    const other = open().throttle
    for (let host = 1; host <= 2 * triedLoginsPerAccount; host += 1) {
      expect(await other.try({ clientIp: '::ffff:192.0.2.1', account: 'a' })).toBe(0)
      await other.succeeded({ clientIp: '192.0.2.1', account: 'a' })
    }
  })

  it('lets an address fail ten times a minute, and makes it wait from the eleventh on', async () => {
    expect(triedLoginsPerMinute).toBe(10)
    expect(await open().fail(12, '192.0.2.1')).toEqual([...zeros(10), 60, 60])
  })

  it('says how many seconds are left, and lets the address go on when they are over', async () => {
    const { fail } = open()
    await fail(11, '192.0.2.1')
    vi.advanceTimersByTime(45_000)
    expect(await fail(1, '192.0.2.1')).toEqual([15])
    vi.advanceTimersByTime(15_001)
    expect(await fail(1, '192.0.2.1')).toEqual([0])
  })

  it('counts each address for itself', async () => {
    const { fail } = open()
    await fail(20, '192.0.2.1')
    expect(await fail(1, '192.0.2.2', 'another')).toEqual([0])
    expect(await fail(1, '2001:db8::1', 'another')).toEqual([0])
  })

  it('counts an address in all its spellings, and IPv6 by what one subscriber has', async () => {
    const { fail } = open()
    await fail(9, '192.0.2.1')
    expect(await fail(1, '::ffff:192.0.2.1')).toEqual([0])
    expect(await fail(1, '::FFFF:c000:201')).toEqual([60])
    await fail(10, '2001:db8:1:2::1')
    expect(await fail(1, '2001:db8:1:2:ffff::9')).toEqual([60])
    expect(await fail(1, '2001:db8:1:3::1')).toEqual([0])
  })

  it('lets an account be tried thirty times a minute, from whatever addresses or none', async () => {
    expect(triedLoginsPerAccount).toBe(30)
    expect(await open().fail(32, undefined, 'ada')).toEqual([...zeros(30), 60, 60])
    const { fail } = open()
    for (let host = 1; host <= 30; host += 1) {
      expect(await fail(1, `192.0.2.${host}`, 'ada')).toEqual([0])
    }
    expect(await fail(1, '198.51.100.1', 'ada')).toEqual([60])
    expect(await fail(1, '198.51.100.1', 'ben')).toEqual([0])
  })

  it('does not count for the account what is refused by its address', async () => {
    const { fail } = open()
    await fail(200, '192.0.2.1', 'ada')
    expect(await fail(1, '192.0.2.2', 'ada')).toEqual([0])
  })

  it('counts over all processes, and each kind of login for itself', async () => {
    const counts = memoryCounts()
    await open(counts).fail(10, '192.0.2.1')
    expect(await open(counts).fail(1, '192.0.2.1')).toEqual([60])
    expect(await open(counts, 'shipping').fail(1, '192.0.2.1')).toEqual([0])
  })

  it('asks the shared counts no more for who goes on and on', async () => {
    const counts = memoryCounts()
    const add = vi.spyOn(counts, 'add')
    await open(counts).fail(1000, undefined, 'ada')
    expect(add).toHaveBeenCalledTimes(2 * triedLoginsPerAccount)
  })

  it('tells the shared counts what kinds of tries there were, also far beyond the limit, but seldom', async () => {
    const counts = memoryCounts()
    const add = vi.spyOn(counts, 'add')
    const { throttle } = open(counts)
    const tryKind = (kind: string) => throttle.try({ clientIp: undefined, account: 'ada', kind })
    for (let tries = 0; tries < 1000; tries += 1) await tryKind('other')
    add.mockClear()
    await tryKind('named')
    expect(await throttle.lastOfKind('named')).toBeUndefined()
    for (let tries = 0; tries < triedLoginsPerAccount; tries += 1) await tryKind('other')
    expect(await throttle.lastOfKind('named')).toEqual(new Date())
    expect(add).toHaveBeenCalledTimes(2)
  })

  it('goes on in memory while the shared counts fail, and says so', async () => {
    const counts = memoryCounts()
    const { throttle, fail } = open(counts)
    await fail(5, '192.0.2.1')
    const failure = new Error('The database is gone')
    vi.spyOn(counts, 'add').mockRejectedValue(failure)
    expect(await fail(6, '192.0.2.1')).toEqual([...zeros(5), 60])
    await throttle.succeeded({ clientIp: '192.0.2.1', account: 'ada' })
    expect(new Set(errors)).toEqual(new Set([failure]))
  })
})

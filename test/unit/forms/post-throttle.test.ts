import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { realEffects } from '../../../src/effects.js'
import type { Shop } from '../../../src/shop.js'
import { createPostThrottle } from '../../../src/forms/post-throttle.js'
import type { SharedCounts } from '../../../src/database/shared-counts.js'
import { memoryCounts } from '../../support/memory-counts.js'

describe('createPostThrottle', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-03-10T12:00:00Z') })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const limits = { postsPerAddress: 3, postsPerNetwork: 5 }
  const errors: unknown[] = []
  const log = { error: (fields: Record<string, unknown>) => void errors.push(fields.err) }
  const open = (counts: SharedCounts = memoryCounts()) =>
    createPostThrottle({ effects: realEffects, log } as unknown as Shop, counts)

  it('takes as many posts a minute from one address as the settings say, and says how many seconds are left', () => {
    const throttle = open()
    const waits: number[] = []
    for (let count = 0; count < 4; count += 1) {
      waits.push(throttle.secondsToWait('192.0.2.1', limits))
    }
    expect(waits).toEqual([0, 0, 0, 60])
    vi.advanceTimersByTime(45_000)
    expect(throttle.secondsToWait('192.0.2.1', { ...limits, postsPerNetwork: 0 })).toBe(15)
    vi.advanceTimersByTime(15_001)
    expect(throttle.secondsToWait('192.0.2.1', limits)).toBe(0)
  })

  it('takes as many posts a minute from one network as the settings say', () => {
    const throttle = open()
    const waits: number[] = []
    for (let host = 1; host <= 6; host += 1) {
      waits.push(throttle.secondsToWait(`2001:db8::${host}`, limits))
    }
    expect(waits).toEqual([0, 0, 0, 0, 0, 60])
    expect(throttle.secondsToWait('2001:db8:0:1::1', limits)).toBe(0)
  })

  it('counts one address in all its spellings', () => {
    const throttle = open()
    const spellings = [
      '192.0.2.1',
      '::ffff:192.0.2.1',
      '::FFFF:c000:201',
      '0:0:0:0:0:ffff:c000:0201',
    ]
    const waits: number[] = []
    for (const address of spellings) waits.push(throttle.secondsToWait(address, limits))
    expect(waits).toEqual([0, 0, 0, 60])
  })

  it('does not count a post that is refused by its address for the network', () => {
    const throttle = open()
    const settings = { postsPerAddress: 60, postsPerNetwork: 300 }
    const waits: number[] = []
    for (let count = 0; count < 300; count += 1) {
      waits.push(throttle.secondsToWait('192.0.2.1', settings))
    }
    expect(waits.filter((wait) => wait === 0)).toHaveLength(60)
    for (let host = 2; host <= 5; host += 1) {
      for (let count = 0; count < 60; count += 1) {
        expect(throttle.secondsToWait(`192.0.2.${host}`, settings)).toBe(0)
      }
    }
    expect(throttle.secondsToWait('192.0.2.6', settings)).toBeGreaterThan(0)
  })

  it('lets everybody post when the limits are 0', () => {
    const throttle = open()
    for (let count = 0; count < 200; count += 1) {
      const unlimited = { postsPerAddress: 0, postsPerNetwork: 0 }
      expect(throttle.secondsToWait('192.0.2.1', unlimited)).toBe(0)
      expect(throttle.secondsToWait(undefined, unlimited)).toBe(0)
    }
  })

  it('lets those whose address is unknown share what twenty networks have', () => {
    const throttle = open()
    for (let count = 0; count < 50; count += 1) {
      expect(throttle.secondsToWait(undefined, limits)).toBe(0)
      expect(throttle.secondsToWait('no address', limits)).toBe(0)
    }
    expect(throttle.secondsToWait(undefined, limits)).toBe(60)
    expect(throttle.secondsToWait('192.0.2.1', limits)).toBe(0)
  })

  it('shares its counts with the other processes once a second, in one write', async () => {
    const counts = memoryCounts()
    const add = vi.spyOn(counts, 'add')
    const [one, other] = [open(counts), open(counts)]
    for (let host = 1; host <= 4; host += 1) {
      expect(one.secondsToWait(`192.0.2.${host}`, limits)).toBe(0)
    }
    expect(other.secondsToWait('192.0.2.1', limits)).toBe(0)
    expect(add).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(add).toHaveBeenCalledTimes(2)
    // Five of the network by now, as the one that shared last knows.
    expect(other.secondsToWait('192.0.2.9', limits)).toBe(59)
    await vi.advanceTimersByTimeAsync(59_000)
    expect(other.secondsToWait('192.0.2.9', limits)).toBe(0)
  })

  it('goes on in memory while the shared counts fail, and says so', async () => {
    const counts = memoryCounts()
    const failure = new Error('The database is gone')
    vi.spyOn(counts, 'add').mockRejectedValue(failure)
    const throttle = open(counts)
    const waits: number[] = []
    for (let count = 0; count < 4; count += 1) {
      waits.push(throttle.secondsToWait('192.0.2.1', limits))
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(waits).toEqual([0, 0, 0, 57])
    expect(errors).toEqual([failure, failure, failure, failure])
  })
})

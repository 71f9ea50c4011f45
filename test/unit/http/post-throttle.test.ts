import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPostThrottle } from '../../../src/http/post-throttle.js'

describe('createPostThrottle', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-03-10T12:00:00Z') })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const limits = { postsPerAddress: 3, postsPerNetwork: 5 }

  it('takes as many posts a minute from one address as the settings say, and tells the seconds left', async () => {
    const throttle = createPostThrottle()
    const waits: number[] = []
    for (let count = 0; count < 4; count += 1) {
      waits.push(await throttle.secondsToWait('192.0.2.1', limits))
    }
    expect(waits).toEqual([0, 0, 0, 60])
    vi.advanceTimersByTime(45_000)
    expect(await throttle.secondsToWait('192.0.2.1', { ...limits, postsPerNetwork: 0 })).toBe(15)
    vi.advanceTimersByTime(15_001)
    expect(await throttle.secondsToWait('192.0.2.1', limits)).toBe(0)
  })

  it('takes as many posts a minute from one network as the settings say', async () => {
    const throttle = createPostThrottle()
    const waits: number[] = []
    for (let host = 1; host <= 6; host += 1) {
      waits.push(await throttle.secondsToWait(`2001:db8::${host}`, limits))
    }
    expect(waits).toEqual([0, 0, 0, 0, 0, 60])
    expect(await throttle.secondsToWait('2001:db8:0:1::1', limits)).toBe(0)
  })

  it('counts one address in all its spellings', async () => {
    const throttle = createPostThrottle()
    const spellings = [
      '192.0.2.1',
      '::ffff:192.0.2.1',
      '::FFFF:c000:201',
      '0:0:0:0:0:ffff:c000:0201',
    ]
    const waits: number[] = []
    for (const address of spellings) waits.push(await throttle.secondsToWait(address, limits))
    expect(waits).toEqual([0, 0, 0, 60])
  })

  it('does not count a post that is refused by its address for the network', async () => {
    const throttle = createPostThrottle()
    const settings = { postsPerAddress: 60, postsPerNetwork: 300 }
    const waits: number[] = []
    for (let count = 0; count < 300; count += 1) {
      waits.push(await throttle.secondsToWait('192.0.2.1', settings))
    }
    expect(waits.filter((wait) => wait === 0)).toHaveLength(60)
    for (let host = 2; host <= 5; host += 1) {
      for (let count = 0; count < 60; count += 1) {
        expect(await throttle.secondsToWait(`192.0.2.${host}`, settings)).toBe(0)
      }
    }
    expect(await throttle.secondsToWait('192.0.2.6', settings)).toBeGreaterThan(0)
  })

  it('lets everybody post when the limits are 0, and counts nobody whose address is unknown', async () => {
    const throttle = createPostThrottle()
    for (let count = 0; count < 100; count += 1) {
      const unlimited = { postsPerAddress: 0, postsPerNetwork: 0 }
      expect(await throttle.secondsToWait('192.0.2.1', unlimited)).toBe(0)
      expect(await throttle.secondsToWait(undefined, limits)).toBe(0)
    }
  })
})

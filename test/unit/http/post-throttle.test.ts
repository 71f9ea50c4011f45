import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPostThrottle, networkOrigin } from '../../../src/http/post-throttle.js'

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

  it('lets everybody post when the limits are 0, and counts nobody whose address is unknown', async () => {
    const throttle = createPostThrottle()
    for (let count = 0; count < 100; count += 1) {
      const unlimited = { postsPerAddress: 0, postsPerNetwork: 0 }
      expect(await throttle.secondsToWait('192.0.2.1', unlimited)).toBe(0)
      expect(await throttle.secondsToWait(undefined, limits)).toBe(0)
    }
  })
})

describe('networkOrigin', () => {
  it.each([
    ['192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
    ['2001:DB8::1', '2001:db8:0:0:0:0:0:1', '2001:db8:0:0::/64'],
    ['[2001:db8:1:2:3:4:5:6]', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1', 'fe80:0:0:0::/64'],
    ['::', '0:0:0:0:0:0:0:0', '0:0:0:0::/64'],
    ['2001:db8:1::', '2001:db8:1:0:0:0:0:0', '2001:db8:1:0::/64'],
  ])('finds address and network of %s', (text, address, network) => {
    expect(networkOrigin(text)).toEqual({ address, network })
  })

  it.each(['', 'unix:', 'shop.example', '192.0.2', '192.0.2.256', '1:2', '%', '[]'])(
    'knows no network of %j',
    (text) => {
      expect(networkOrigin(text)).toBeUndefined()
    },
  )
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CallLog } from '../../../src/delivery/call-log.js'
import {
  freePermits,
  learn,
  movePermit,
  nextPermitAt,
  takePermits,
} from '../../../src/delivery/call-permits.js'

const start = 1_800_000_000_000
const limits = { burst: 10, steady: 150 }
const none: CallLog = { calls: [] }

/** Most calls in any window of that length, whatever its phase: one that begins with a call. */
function mostCalls(calls: readonly number[], windowMs: number): number {
  let most = 0
  for (let first = 0, last = 0; last < calls.length; last++) {
    while ((calls[last] ?? 0) - (calls[first] ?? 0) >= windowMs) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

/** Takes all it can get, whenever there is something to get. */
function saturate(limit: typeof limits, forMs: number) {
  const calls: number[] = []
  let log = none
  let longest = 0
  for (let now = start; now < start + forMs;) {
    const taken = takePermits(log, limit, { now, wanted: 25 })
    log = taken.log
    longest = Math.max(longest, log.calls.length)
    for (let call = 0; call < taken.granted; call++) calls.push(now)
    now = Math.max(now + 1, Math.ceil(taken.nextPermitAt))
  }
  return { calls, longest }
}

describe('takePermits', () => {
  it('never exceeds a second or a minute of any phase, whenever it is asked', () => {
    const waits = fc.array(
      fc.record({
        waitMs: fc.oneof(fc.nat(60), fc.nat(1_500), fc.nat(20_000)),
        wanted: fc.integer({ min: 1, max: 40 }),
      }),
      { maxLength: 300 },
    )
    fc.assert(
      fc.property(waits, fc.integer({ min: 1, max: 12 }), (asks, burst) => {
        const tight = { burst, steady: burst * 4 }
        const calls: number[] = []
        let log = none
        let now = start
        for (const { waitMs, wanted } of asks) {
          now += waitMs
          const taken = takePermits(log, tight, { now, wanted })
          log = taken.log
          for (let call = 0; call < taken.granted; call++) calls.push(now)
        }
        expect(mostCalls(calls, 1_000)).toBeLessThanOrEqual(tight.burst)
        expect(mostCalls(calls, 60_000)).toBeLessThanOrEqual(tight.steady)
      }),
      { numRuns: 500 },
    )
  })

  it.each([limits, { burst: 75, steady: 700 }, { burst: 350, steady: 3500 }])(
    'uses at least 99 of 100 calls that the limits allow when more is always wanted: %o',
    (limit) => {
      const { calls } = saturate(limit, 11 * 61_000)
      const minutes = ((calls[10 * limit.steady] ?? Number.NaN) - start) / 60_000
      expect((10 * limit.steady) / minutes).toBeGreaterThanOrEqual(limit.steady * 0.99)
      expect(mostCalls(calls, 60_000)).toBeLessThanOrEqual(limit.steady)
    },
  )

  it('keeps a log that stays small however many calls there are', () => {
    let log = none
    for (let now = start; now < start + 80_000; now += 13) {
      log = takePermits(log, { burst: 1e6, steady: 1e6 }, { now, wanted: 3 }).log
      expect(log.calls.length).toBeLessThan(450)
    }
    const moments = log.calls.map(([at]) => at)
    expect(moments).toEqual([...moments].sort((a, b) => a - b))
  })

  it('grants what is left of those wanted, and says when the next one is free', () => {
    const first = takePermits(none, limits, { now: start, wanted: 8 })
    const second = takePermits(first.log, limits, { now: start, wanted: 8 })
    expect([first.granted, second.granted]).toEqual([8, 2])
    expect(second.nextPermitAt).toBe(start + 1_100)
    expect(takePermits(second.log, limits, { now: start + 1_099, wanted: 1 }).granted).toBe(0)
    expect(takePermits(second.log, limits, { now: start + 1_100, wanted: 99 }).granted).toBe(10)
  })

  it('grants nothing while paused', () => {
    const paused = { ...none, pausedUntil: start + 5_000 }
    expect(takePermits(paused, limits, { now: start, wanted: 1 })).toMatchObject({
      granted: 0,
      nextPermitAt: start + 5_000,
    })
    expect(freePermits(paused, limits, start + 5_000)).toBe(10)
  })
})

describe('movePermit', () => {
  it('counts a call that starts late when it starts, and no longer when its permit was taken', () => {
    const { log } = takePermits(none, limits, { now: start, wanted: 10 })
    const moved = movePermit(log, start, start + 600)
    expect(moved.calls).toEqual([
      [start, 9],
      [start + 600, 1],
    ])
    expect(freePermits(moved, limits, start + 1_150)).toBe(9)
    expect(nextPermitAt(moved, limits, start + 1_150)).toBe(start + 1_150)
  })

  it('never lets a window have more calls than before', () => {
    const asks = fc.array(fc.record({ waitMs: fc.nat(400), delayMs: fc.nat(900) }), {
      maxLength: 120,
    })
    fc.assert(
      fc.property(asks, (moves) => {
        const tight = { burst: 3, steady: 12 }
        const calls: number[] = []
        let log = none
        let now = start
        for (const { waitMs, delayMs } of moves) {
          now += waitMs
          const taken = takePermits(log, tight, { now, wanted: 1 })
          log = taken.log
          if (taken.granted === 0) continue
          const permitAt = now
          now += delayMs
          log = movePermit(log, permitAt, now)
          calls.push(now)
        }
        expect(mostCalls(calls, 1_000)).toBeLessThanOrEqual(tight.burst)
        expect(mostCalls(calls, 60_000)).toBeLessThanOrEqual(tight.steady)
      }),
      { numRuns: 300 },
    )
  })
})

describe('learn', () => {
  it('takes over the limit of a minute that the platform tells, lower or higher', () => {
    const lower = learn(none, limits, { reading: { limit: 5 }, now: start })
    expect(freePermits(lower, limits, start)).toBe(5)
    const higher = learn(
      lower,
      { burst: 1_000, steady: 150 },
      { reading: { limit: 700 }, now: start },
    )
    expect(freePermits(higher, { burst: 1_000, steady: 150 }, start)).toBe(700)
  })

  it('counts the calls of others who use the same key', () => {
    const { log } = takePermits(none, limits, { now: start, wanted: 10 })
    const reading = { limit: 150, remaining: 20, resetSeconds: 50 }
    const learned = learn(log, limits, { reading, now: start + 2_000 })
    expect(learned.calls.reduce((sum, [, count]) => sum + count, 0)).toBe(130)
  })

  it('takes no call of its own for one of another, however the answers come', () => {
    const { log } = takePermits(none, limits, { now: start, wanted: 10 })
    const reading = { limit: 150, remaining: 143, resetSeconds: 60 }
    expect(learn(log, limits, { reading, now: start + 300 })).toBe(log)
  })

  it('pauses for as long as Retry-After says, and never shortens a pause', () => {
    const paused = learn(none, limits, { reading: { retryAfterSeconds: 30 }, now: start })
    expect(nextPermitAt(paused, limits, start)).toBe(start + 30_000)
    const again = learn(paused, limits, { reading: { retryAfterSeconds: 1 }, now: start })
    expect(nextPermitAt(again, limits, start)).toBe(start + 30_000)
  })
})

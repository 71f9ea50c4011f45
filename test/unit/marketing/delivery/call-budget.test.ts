import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCallBudget, type Permit } from '../../../../src/marketing/delivery/call-budget.js'
import type { CallLogs } from '../../../../src/marketing/delivery/call-log.js'
import { callLimits } from '../../../../src/marketing/klaviyo/limits.js'
import type { Outcome, RateLimit } from '../../../../src/marketing/klaviyo/call-answer.js'
import { shopAt } from './fresh-budget.js'

const start = 1_800_000_000_000
const limits = { burst: 10, steady: 150 }
const delivered: Outcome = { is: 'delivered' }
const throttled: Outcome = {
  is: 'later',
  error: { code: 'throttled', detail: 'Wait.', status: 429 },
  costsAttempt: false,
}

/** The budget of the call for one event, on a clock that stands still until it is moved. */
function budgetOf(limit: typeof limits, logs: CallLogs = {}) {
  let now = start
  const silent = () => undefined
  const budget = createCallBudget(
    shopAt(() => new Date(now)),
    {
      logs,
      limits: { ...callLimits, event: { ...limit, items: 1 } },
      onRecovered: silent,
      onPause: silent,
    },
  )
  const capacity = () => budget.capacityFor('event', 'key')
  capacity()
  return {
    capacity,
    take: (wanted: number): Permit[] => budget.take('event', 'key', wanted),
    begin: (permit: Permit | undefined) => permit && budget.begin(permit),
    /** What the answer to one call says. */
    answer: (rate: RateLimit, outcome = delivered): void =>
      budget.report({ call: 'event', apiKey: 'key', at: now, isProbe: false }, [outcome], rate),
    logs: budget.logs,
    useKey: budget.useKey,
    now: () => now,
    moveTo: (at: number) => void (now = at),
  }
}

it('a budget forgets the limit of a former key, which may be of another account', () => {
  const budget = budgetOf(limits)
  budget.answer({ limit: 2 })
  expect(budget.capacity().free).toBe(2)
  budget.useKey('another key')
  expect(budget.logs().calls?.event?.steadyLimit).toBeUndefined()
})

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
  const { take, capacity, now, moveTo } = budgetOf(limit)
  while (now() < start + forMs) {
    for (const { at } of take(25)) calls.push(at)
    moveTo(Math.max(now() + 1, Math.ceil(capacity().nextAt)))
  }
  return calls
}

describe('take', () => {
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
        const { take, now, moveTo } = budgetOf(tight)
        const calls: number[] = []
        for (const { waitMs, wanted } of asks) {
          moveTo(now() + waitMs)
          for (const { at } of take(wanted)) calls.push(at)
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
      const calls = saturate(limit, 11 * 61_000)
      const minutes = ((calls[10 * limit.steady] ?? Number.NaN) - start) / 60_000
      expect((10 * limit.steady) / minutes).toBeGreaterThanOrEqual(limit.steady * 0.99)
      expect(mostCalls(calls, 60_000)).toBeLessThanOrEqual(limit.steady)
    },
  )

  it('grants what is left of those wanted, and says when the next one is free', () => {
    const { take, capacity, moveTo } = budgetOf(limits)
    expect([take(8).length, take(8).length]).toEqual([8, 2])
    expect(capacity().nextAt).toBe(start + 1_100)
    moveTo(start + 1_099)
    expect(take(1)).toHaveLength(0)
    moveTo(start + 1_100)
    expect(take(99)).toHaveLength(10)
  })
})

describe('begin', () => {
  it('counts a call that starts late when it starts, and no longer when its permit was taken', () => {
    const { take, begin, capacity, moveTo } = budgetOf(limits)
    const [permit] = take(10)
    moveTo(start + 600)
    expect(begin(permit)).toBe(true)
    moveTo(start + 1_150)
    expect(capacity()).toMatchObject({ free: 9, lastAt: start + 600 })
    expect(capacity().nextAt).toBeLessThanOrEqual(start + 1_150)
  })

  it('never lets a window have more calls than before', () => {
    const asks = fc.array(fc.record({ waitMs: fc.nat(400), delayMs: fc.nat(900) }), {
      maxLength: 120,
    })
    fc.assert(
      fc.property(asks, (moves) => {
        const tight = { burst: 3, steady: 12 }
        const calls: number[] = []
        const { take, begin, now, moveTo } = budgetOf(tight)
        for (const { waitMs, delayMs } of moves) {
          moveTo(now() + waitMs)
          const [permit] = take(1)
          if (permit === undefined) continue
          moveTo(now() + delayMs)
          begin(permit)
          calls.push(now())
        }
        expect(mostCalls(calls, 1_000)).toBeLessThanOrEqual(tight.burst)
        expect(mostCalls(calls, 60_000)).toBeLessThanOrEqual(tight.steady)
      }),
      { numRuns: 300 },
    )
  })
})

describe('report', () => {
  it('takes over the limit of a minute that the platform reports, lower or higher', () => {
    const { answer, capacity } = budgetOf({ burst: 1_000, steady: 150 })
    answer({ limit: 5 })
    expect(capacity().free).toBe(5)
    answer({ limit: 700 })
    expect(capacity().free).toBe(700)
  })

  it('counts the calls of others who use the same key, and no call of its own as one', () => {
    const { take, answer, capacity, moveTo } = budgetOf({ burst: 1_000, steady: 150 })
    take(10)
    moveTo(start + 300)
    answer({ limit: 150, remaining: 143, resetSeconds: 60 })
    expect(capacity().free).toBe(150 - 10)
    moveTo(start + 2_000)
    answer({ limit: 150, remaining: 20, resetSeconds: 50 })
    expect(capacity().free).toBe(150 - 130)
  })

  it('pauses for as long as Retry-After says, and never shortens a pause', () => {
    const { answer, capacity, moveTo } = budgetOf(limits)
    answer({ retryAfterSeconds: 30 }, throttled)
    expect(capacity()).toMatchObject({ free: 0, nextAt: start + 30_000 })
    answer({ retryAfterSeconds: 1 }, throttled)
    expect(capacity().nextAt).toBe(start + 30_000)
    moveTo(start + 30_000)
    expect(capacity().free).toBe(10)
  })
})

describe('logs', () => {
  it('stay small however many calls there are', () => {
    const { take, logs, moveTo } = budgetOf({ burst: 1_000_000, steady: 1_000_000 })
    for (let at = start; at < start + 80_000; at += 100) {
      moveTo(at)
      take(3)
    }
    const moments = logs().calls?.event?.calls.map(([at]) => at) ?? []
    expect(moments.length).toBeLessThan(450)
    expect(moments).toEqual([...moments].sort((a, b) => a - b))
  })

  it('leave whoever takes over no more calls than before', () => {
    const before = budgetOf(limits)
    before.take(4)
    before.moveTo(start + 700)
    before.take(6)
    const after = budgetOf(limits, before.logs())
    after.moveTo(start + 1_099)
    expect(after.capacity().free).toBe(0)
  })
})

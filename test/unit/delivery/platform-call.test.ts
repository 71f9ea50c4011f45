import { describe, expect, it } from 'vitest'
import { createPlatformCall } from '../../../src/delivery/platform-call.js'
import type { CallAnswer } from '../../../src/marketing/platform.js'
import { freshBudget, silentLog } from './fresh-budget.js'

const clock = { now: () => new Date(1_800_000_000_000) }

/** Whether a call is made when the lease has so long left, and how long it may take. */
async function call(leaseMs: number) {
  const budget = freshBudget(clock)
  const deadlines: number[] = []
  const makeCall = createPlatformCall({
    budget,
    clock,
    log: silentLog,
    leaseMs: () => leaseMs,
    deadline(ms) {
      deadlines.push(ms)
      return AbortSignal.timeout(ms)
    },
  })
  const [permit] = budget.take('event', 'key', 1)
  if (permit === undefined) throw new Error('There is no permit.')
  const make = (): Promise<CallAnswer> => Promise.resolve({ outcomes: [{ is: 'delivered' }] })
  const answer = await makeCall({ permit, items: 1, make })
  return { isMade: answer !== undefined, deadlines }
}

describe('A call to the platform', () => {
  it('takes six seconds at most', async () => {
    expect(await call(9_000)).toEqual({ isMade: true, deadlines: [6_000] })
  })

  it('ends two seconds before the lease, to whatever part of a millisecond that lasts', async () => {
    expect(await call(7_390.961)).toEqual({ isMade: true, deadlines: [5_390] })
  })

  it('is not made with less than four seconds of the lease left', async () => {
    expect(await call(3_999)).toEqual({ isMade: false, deadlines: [] })
  })
})

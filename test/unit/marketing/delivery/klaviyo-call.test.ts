import { describe, expect, it } from 'vitest'
import { createKlaviyoCall } from '../../../../src/marketing/delivery/klaviyo-call.js'
import type { CallAnswer, CallOptions } from '../../../../src/marketing/klaviyo/call-answer.js'
import { freshBudget, shopAt } from './fresh-budget.js'

const now = () => new Date(1_800_000_000_000)

/**
 * Whether a call is made when the lease has so long left, how long it may take, and whether it is over
 * when the process goes on after a pause that leaves the lease so long.
 */
async function call(leaseMs: number, afterPauseMs = leaseMs) {
  let left = leaseMs
  const budget = freshBudget(now)
  const deadlines: number[] = []
  const shop = shopAt(now)
  const deadline = (ms: number) => {
    deadlines.push(ms)
    return shop.effects.deadline(ms)
  }
  const klaviyoCall = createKlaviyoCall(
    { ...shop, effects: { ...shop.effects, deadline } },
    { budget, leaseMs: () => left },
  )
  const [permit] = budget.take('event', 'key', 1)
  if (permit === undefined) throw new Error('There is no permit.')
  let isOver: boolean | undefined
  const make = (options: CallOptions): Promise<CallAnswer> => {
    left = afterPauseMs
    isOver = options.isOver?.()
    return Promise.resolve({ outcomes: [{ is: 'delivered' }] })
  }
  const answer = await klaviyoCall.call({ permit, items: 1, make })
  return { isMade: answer !== undefined, deadlines, isOver }
}

describe('A call to the platform', () => {
  it('takes six seconds at most', async () => {
    expect(await call(9_000)).toEqual({ isMade: true, deadlines: [6_000], isOver: false })
  })

  it('ends two seconds before the lease, to whatever part of a millisecond that lasts', async () => {
    expect(await call(7_390.961)).toEqual({ isMade: true, deadlines: [5_390], isOver: false })
  })

  it('is not made with less than four seconds of the lease left', async () => {
    expect(await call(3_999)).toEqual({ isMade: false, deadlines: [] })
  })

  it('is over when the process was paused until two seconds before the end of the lease', async () => {
    expect(await call(9_000, 2_001)).toMatchObject({ isOver: false })
    expect(await call(9_000, 2_000)).toMatchObject({ isOver: true })
  })
})

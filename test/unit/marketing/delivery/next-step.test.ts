import { describe, expect, it } from 'vitest'
import { nextStep, waitMs, type StepContext } from '../../../../src/marketing/delivery/call-item.js'
import type { Send } from '../../../../src/marketing/delivery/send.js'
import type { Outcome } from '../../../../src/marketing/klaviyo/call-answer.js'
import { aWaitingSend } from './fresh-budget.js'

const now = new Date('2026-01-10T00:00:00Z')
const day = 86_400_000
const error = { code: 'X', detail: 'Why.' }

const aSend = (change: Partial<Send> = {}): Send => ({
  ...aWaitingSend({ acceptedAt: now, dueAt: +now }),
  message: { kind: 'identify', profile: { email: 'a@x.io' } },
  ...change,
})
const context: StepContext = { now, random: 0.5, isAlone: true }
const later = { is: 'later', error, costsAttempt: true } as const

describe('nextStep', () => {
  const batchSize = Number.POSITIVE_INFINITY
  const again = { id: 7, to: 'queued', nextAttemptAt: now, attempts: 0, batchSize }
  const cases: { was: string; outcome: Outcome; change?: Partial<StepContext>; step: object }[] = [
    { was: 'delivered', outcome: { is: 'delivered' }, step: { id: 7, to: 'sent' } },
    { was: 'skipped', outcome: { is: 'skipped', error }, step: { id: 7, to: 'skipped', error } },
    { was: 'refused', outcome: { is: 'refused', error }, step: { id: 7, to: 'failed', error } },
    { was: 'innocent', outcome: { is: 'requeue' }, step: again },
    {
      was: 'sent with a wrong key',
      outcome: { is: 'misconfigured', error },
      step: { ...again, error },
    },
    {
      was: 'suspected alone',
      outcome: { is: 'culpritUnknown', error },
      step: { id: 7, to: 'failed', error },
    },
    {
      was: 'suspected among others',
      outcome: { is: 'culpritUnknown', error },
      change: { isAlone: false },
      step: { ...again, batchSize: 100, error },
    },
  ]
  it.each(cases)('says what becomes of a send that was $was', ({ outcome, change, step }) => {
    expect(nextStep(aSend(), outcome, { ...context, ...change })).toEqual(step)
  })

  it('counts a failure as a try, and waits up to twice as long after each', () => {
    const waits = [0, 1, 2, 3].map((attempts) => {
      const step = nextStep(aSend({ attempts }), later, context)
      return step.to === 'queued' ? [step.attempts, +step.nextAttemptAt - +now] : undefined
    })
    expect(waits).toEqual([
      [1, 2_500],
      [2, 5_000],
      [3, 10_000],
      [4, 20_000],
    ])
  })

  it('counts no try when the outcome costs none, however old the send is', () => {
    const old = aSend({ attempts: 40, acceptedAt: new Date(+now - 30 * day) })
    expect(nextStep(old, { ...later, costsAttempt: false }, context)).toMatchObject({
      to: 'queued',
      attempts: 40,
    })
  })

  it('gives up neither before four days nor before many tries', () => {
    const aged = (attempts: number, days: number) =>
      nextStep(aSend({ attempts, acceptedAt: new Date(+now - days * day) }), later, context).to
    expect([aged(40, 3.99), aged(11, 10), aged(12, 4)]).toEqual(['queued', 'queued', 'failed'])
  })

  const sizeAfter = (send: Partial<Send>, outcome: Outcome) => {
    const step = nextStep(aSend(send), outcome, { ...context, isAlone: false })
    return step.to === 'queued' ? step.batchSize : undefined
  }

  it('sends what fails again and again with others in smaller batches', () => {
    const sizes = [0, 1, 2].map((attempts) => sizeAfter({ attempts }, later))
    expect(sizes).toEqual([batchSize, batchSize, 100])
  })
})

describe('the retry schedule', () => {
  it('never waits longer than six hours and lasts at least four days on average', () => {
    let total = 0
    let failures = 0
    while (total < 4 * day) total += waitMs(++failures, 0.5)
    expect(failures).toBe(44)
    expect(waitMs(1_000, 1)).toBe(6 * 3_600_000)
  })
})

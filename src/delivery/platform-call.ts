import type { CallAnswer, CallOptions, Outcome, RateReading } from '../marketing/platform.js'
import type { Log } from '../store/log.js'
import type { CallBudget, Slot } from './call-budget.js'
import { verdictOf } from './call-health.js'
import type { Clock } from './clock.js'

/** How long a worker has its sends. No lease is ever renewed: a call ends before its lease does. */
export const leaseMs = 7_000

/** The longest a call may take. */
const longestCallMs = 6_000

/** With less left of the lease no call is begun: its answer might come too late to be written. */
const shortestCallMs = 500

export interface CallTask {
  slot: Slot
  apiKey: string
  /** The call has to be over by then. */
  leaseUntil: Date
  /** Items, for the log. */
  items: number
  longestMs?: number
  make: (options: CallOptions) => Promise<CallAnswer>
}

export interface PlatformCalls {
  /** Makes one call; undefined, and nothing sent, when the lease has too little time left. */
  make(task: CallTask): Promise<CallAnswer | undefined>
  /** For a slot that no call is made with. */
  leave(slot: Slot): Promise<void>
  /** Tells the budget what a call, or several at once, said of the platform. */
  report(slots: readonly Slot[], answers: readonly CallAnswer[]): Promise<void>
}

export interface PlatformCallParts {
  budget: CallBudget
  clock: Clock
  log: Log
  deadline: (ms: number) => AbortSignal
}

/** The one place where the platform is called. */
export function createPlatformCalls(parts: PlatformCallParts): PlatformCalls {
  const { budget, clock, log, deadline } = parts
  return {
    async make({ slot, apiKey, leaseUntil, items, longestMs = longestCallMs, make }) {
      await budget.refresh(slot)
      const start = clock.now().getTime()
      // Looked at right before the call: a worker that was paused sends nothing late.
      const leaseRest = leaseUntil.getTime() - start
      if (leaseRest < shortestCallMs) {
        log.warn({ call: slot.call, items }, 'No call was made: the lease was nearly over')
        await budget.unused(slot)
        return undefined
      }
      const signal = deadline(Math.min(longestMs, leaseRest))
      const answer = await make({ apiKey, signal }).catch((error: unknown) =>
        unexpected(error, { log, slot, items }),
      )
      if (answer.isUnasked) {
        await budget.unused(slot)
        return answer
      }
      const milliseconds = clock.now().getTime() - start
      log.info({ call: slot.call, milliseconds, ...summaryOf(answer.outcomes) }, 'Platform called')
      return answer
    },

    leave: (slot) => budget.unused(slot),

    async report(slots, given) {
      const [slot] = slots
      const answers = given.filter(({ isUnasked }) => !isUnasked)
      if (slot === undefined || answers.length === 0) return
      const outcomes = answers.flatMap((answer) => answer.outcomes)
      await budget.report(slot, {
        verdict: verdictOf(outcomes),
        readings: answers.flatMap(({ rate }) => (rate ? [rate] : [])).slice(-readingsToLearnFrom),
        isProbe: slots.some(({ isProbe }) => isProbe),
        isKeyRefused: outcomes.some((o) => o.is === 'misconfigured' && o.error.status === 401),
      })
    },
  }
}

/** Of many calls at once the last answers say the most of the limits. */
const readingsToLearnFrom = 3

/** A port never throws for what the platform does: this is a bug, and its sends must not be lost. */
function unexpected(
  error: unknown,
  { log, slot, items }: { log: Log; slot: Slot; items: number },
): CallAnswer {
  log.error({ err: error, call: slot.call, items }, 'A call to the marketing platform broke')
  const outcome: Outcome = {
    is: 'later',
    error: { code: 'UNEXPECTED', detail: 'The call broke. The log says why.' },
    costsAttempt: true,
  }
  return { outcomes: Array.from({ length: items }, () => outcome) }
}

function summaryOf(outcomes: readonly Outcome[]): Record<string, unknown> {
  const counts: Record<string, number> = {}
  for (const { is } of outcomes) counts[is] = (counts[is] ?? 0) + 1
  const error = outcomes.map(errorOf).find((found) => found !== undefined)
  return {
    items: outcomes.length,
    ...counts,
    ...(error && { code: error.code, status: error.status }),
  }
}

const errorOf = (outcome: Outcome) => ('error' in outcome ? outcome.error : undefined)

/** The latest limits of several readings, for a call that is asked without items. */
export const asAnswer = (outcome: Outcome, rate?: RateReading): CallAnswer => ({
  outcomes: [outcome],
  ...(rate && { rate }),
})

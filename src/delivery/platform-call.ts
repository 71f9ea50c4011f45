import type { CallAnswer, CallOptions, Outcome } from '../marketing/platform.js'
import type { Log } from '../store/log.js'
import type { CallBudget, Permit } from './call-budget.js'
import type { Clock } from './clock.js'

/** The longest that a call may take. */
const longestCallMs = 6_000

/** With less left of the lease no call is begun: its answer might come too late to be written. */
const shortestCallMs = 500

export interface CallTask {
  permit: Permit
  /** Items, for the log. */
  items: number
  longestMs?: number
  make: (options: CallOptions) => Promise<CallAnswer>
}

/** Makes one call; undefined, and nothing sent, when it must not be made any more. */
export type PlatformCall = (task: CallTask) => Promise<CallAnswer | undefined>

export interface PlatformCallParts {
  budget: CallBudget
  clock: Clock
  log: Log
  /** Milliseconds until another process may deliver. */
  leaseMs: () => number
  deadline: (ms: number) => AbortSignal
}

/** The one place where the platform is called. */
export function createPlatformCall(parts: PlatformCallParts): PlatformCall {
  const { budget, clock, log, leaseMs, deadline } = parts
  return async ({ permit, items, longestMs = longestCallMs, make }) => {
    const { call, apiKey } = permit
    // Looked at right before the call: a process that was paused sends nothing late.
    const leaseRest = leaseMs()
    if (leaseRest < shortestCallMs) {
      log.warn({ call, items }, 'No call was made: the lease was nearly over')
      budget.unused(permit)
      return undefined
    }
    if (!budget.begin(permit)) return undefined
    const start = clock.now().getTime()
    const answer = await make({ apiKey, signal: deadline(Math.min(longestMs, leaseRest)) }).catch(
      (error: unknown) => unexpected(error, { log, call, items }),
    )
    if (answer.isUnasked) {
      budget.unused(permit)
      return answer
    }
    const milliseconds = clock.now().getTime() - start
    log.info({ call, milliseconds, ...summaryOf(answer.outcomes) }, 'Platform called')
    // Before what became of the sends is written, so that a pause is known before they are due again.
    budget.report(permit, answer.outcomes, answer.rate)
    return answer
  }
}

/** The platform's client never throws for what the platform does: this is a bug, and loses no send. */
function unexpected(
  error: unknown,
  { log, call, items }: { log: Log; call: string; items: number },
): CallAnswer {
  log.error({ err: error, call, items }, 'A call to the marketing platform broke')
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

/** A call that is asked without items, as the answer to one. */
export const asAnswer = (outcome: Outcome, rate?: CallAnswer['rate']): CallAnswer => ({
  outcomes: [outcome],
  ...(rate && { rate }),
})

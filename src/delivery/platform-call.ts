import type {
  CallAnswer,
  CallFailure,
  CallName,
  CallOptions,
  Outcome,
  RateReading,
} from '../marketing/platform.js'
import type { Log } from '../store/log.js'
import type { CallBudget, Permit } from './call-budget.js'
import type { Clock } from './clock.js'

/** The longest that a call may take. */
const longestCallMs = 6_000

/**
 * A call is over so long before the lease is, and is not begun with less than as much again. On a busy
 * machine it arrives later than it was made, and must not do so behind the calls of the next deliverer.
 */
const marginMs = 2_000

interface CallTask {
  permit: Permit
  /** Items, for the log. */
  items: number
  longestMs?: number
  make: (options: CallOptions) => Promise<CallAnswer>
}

interface PlatformCallParts {
  budget: CallBudget
  clock: Clock
  log: Log
  /** Milliseconds until another process may deliver. */
  leaseMs: () => number
  deadline: (ms: number) => AbortSignal
}

/** The one place where the platform is called. */
export function createPlatformCall({ budget, clock, log, leaseMs, deadline }: PlatformCallParts) {
  /** Makes one call; undefined, and nothing sent, when it must not be made any more. */
  return async (task: CallTask): Promise<CallAnswer | undefined> => {
    const { permit, items, longestMs = longestCallMs, make } = task
    const { call, apiKey } = permit
    // Looked at right before the call: a process that was paused sends nothing late.
    const leaseRest = leaseMs() - marginMs
    if (leaseRest < marginMs) {
      log.warn({ call, items }, 'No call was made: the lease was nearly over')
      budget.unused(permit)
      return undefined
    }
    if (!budget.begin(permit)) return undefined
    const start = clock.now().getTime()
    const signal = deadline(Math.floor(Math.min(longestMs, leaseRest)))
    const isOver = () => leaseMs() <= marginMs
    const answer = await make({ apiKey, signal, isOver }).catch((error: unknown): CallAnswer => {
      // The client never throws for what the platform does: this is a bug, and loses no send.
      log.error({ err: error, call, items }, 'A call to the marketing platform broke')
      return { outcomes: Array.from({ length: items }, () => broken) }
    })
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

export type PlatformCall = ReturnType<typeof createPlatformCall>

const broken: Outcome = {
  is: 'later',
  error: { code: 'UNEXPECTED', detail: 'The call broke. The log says why.' },
  costsAttempt: true,
}

function summaryOf(outcomes: readonly Outcome[]) {
  const counts: Record<string, number> = {}
  for (const { is } of outcomes) counts[is] = (counts[is] ?? 0) + 1
  const { code, status } = outcomes.map(errorOf).find((error) => error !== undefined) ?? {}
  return { items: outcomes.length, ...counts, code, status }
}

const errorOf = (outcome: Outcome) => ('error' in outcome ? outcome.error : undefined)

/** What is asked of the platform by one call. */
export interface Question<Result> {
  name: CallName
  apiKey: string
  /** Items, for the log. */
  items: number
  longestMs?: number
  make: (options: CallOptions) => Promise<Result | CallFailure>
}

/** What a call says that asks something; otherwise why nothing is known. */
export type Told<Result> = Result | { failed: Outcome } | { putOffUntil: number }

/** Asks the platform something by one call, if there is a permit for it. */
export async function askPlatform<Result extends { rate?: RateReading }>(
  { budget, call }: { budget: CallBudget; call: PlatformCall },
  { name, apiKey, make, ...task }: Question<Result>,
): Promise<Told<Result>> {
  const { nextAt } = budget.roomFor(name, apiKey)
  const [permit] = budget.take(name, apiKey, 1)
  if (permit === undefined) return { putOffUntil: nextAt }
  let result: Result | CallFailure | undefined
  const answer = await call({
    ...task,
    permit,
    async make(options) {
      result = await make(options)
      const outcome: Outcome = 'failed' in result ? result.failed : { is: 'delivered' }
      return { outcomes: [outcome], ...(result.rate && { rate: result.rate }) }
    },
  })
  const [outcome] = answer?.outcomes ?? []
  if (outcome === undefined) return { putOffUntil: nextAt }
  return result ?? { failed: outcome }
}

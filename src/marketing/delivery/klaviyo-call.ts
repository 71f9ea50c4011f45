import type {
  AnswerTrace,
  CallAnswer,
  CallFailure,
  CallOptions,
  Outcome,
  RateLimit,
  Reply,
} from '../klaviyo/call-answer.js'
import type { CallName } from '../klaviyo/limits.js'
import type { CallBudget, Permit } from './call-budget.js'
import type { Shop } from '../../core/shop.js'
import { longestCallMs } from '../../core/workers/deliverer.js'
import type { CallTrace } from './attempt.js'

/** Milliseconds from a call to the end of the lease, and to begin it: it must not arrive after the next deliverer's. */
const marginMs = 2_000

interface CallTask {
  permit: Permit
  /** How many items the call has, for the log. */
  items: number
  longestMs?: number
  make: (options: CallOptions) => Promise<CallAnswer>
}

/** A question that one call asks Klaviyo. */
export interface Question<Result> extends Pick<CallTask, 'items' | 'longestMs'> {
  name: CallName
  apiKey: string
  make: (options: CallOptions) => Reply<Result>
}

interface KlaviyoCallSetup {
  budget: CallBudget
  /** Milliseconds until another process may deliver. */
  leaseMs: () => number
}

/** The only place that calls Klaviyo. */
export function createKlaviyoCall(
  { waits, effects: { deadline, now }, log }: Pick<Shop, 'waits' | 'effects' | 'log'>,
  { budget, leaseMs }: KlaviyoCallSetup,
) {
  /** Makes one call. Undefined when the call must not be made any more; then nothing was sent. */
  async function call(task: CallTask): Promise<(CallAnswer & Traced) | undefined> {
    const { permit, items, longestMs = longestCallMs, make } = task
    const { call: name, apiKey } = permit
    // The lease is checked right before the call, so that a process that was paused sends nothing late.
    const leaseRest = leaseMs() - marginMs
    if (leaseRest < marginMs) {
      log.warn({ call: name, items }, 'No call was made: the lease was nearly over')
      budget.unused(permit)
      return undefined
    }
    if (!budget.begin(permit)) return undefined
    const start = waits.now().getTime()
    const at = now()
    let answered: AnswerTrace | undefined
    const onAnswer = (last: AnswerTrace) => (answered = last)
    const signal = deadline(Math.floor(Math.min(longestMs, leaseRest)))
    const isOver = () => leaseMs() <= marginMs
    const answer = await make({ apiKey, signal, isOver, onAnswer }).catch(
      (error: unknown): CallAnswer => {
        // The client never throws for what Klaviyo does, so this is a bug. It must not lose a send.
        log.error({ err: error, call: name, items }, 'A call to Klaviyo threw an error')
        return { outcomes: Array.from({ length: items }, () => broken) }
      },
    )
    if (answer.isUnasked) {
      budget.unused(permit)
      return { ...answer, trace: { at } }
    }
    const milliseconds = waits.now().getTime() - start
    log.info({ call: name, milliseconds, ...summaryOf(answer.outcomes) }, 'Klaviyo called')
    // The budget learns of the answer before the sends are settled, so that a pause is known before
    // they are due again.
    budget.report(permit, answer.outcomes, answer.rate)
    return { ...answer, trace: { at, milliseconds, ...answered } }
  }

  /** Asks a question. Resolves to the answer, or to why there is none. */
  async function ask<Result>({ name, apiKey, make, ...task }: Question<Result>) {
    const { nextAt } = budget.capacityFor(name, apiKey)
    const [permit] = budget.take(name, apiKey, 1)
    if (permit === undefined) return { putOffUntil: nextAt }
    let result: CallFailure | (Result & { rate?: RateLimit }) | undefined
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
    if (answer === undefined || outcome === undefined) return { putOffUntil: nextAt }
    return { ...(result ?? { failed: outcome }), trace: answer.trace }
  }

  return { call, ask }
}

export type KlaviyoCall = ReturnType<typeof createKlaviyoCall>

interface Traced {
  trace: CallTrace
}

const broken: Outcome = {
  is: 'later',
  error: { code: 'UNEXPECTED', detail: 'The call threw an error. The log says why.' },
  costsAttempt: true,
}

function summaryOf(outcomes: readonly Outcome[]) {
  const counts: Record<string, number> = {}
  for (const { is } of outcomes) counts[is] = (counts[is] ?? 0) + 1
  const [error] = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []))
  return { items: outcomes.length, ...counts, code: error?.code, status: error?.status }
}

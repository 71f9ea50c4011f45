import type { Outcome, KlaviyoError } from '../klaviyo/call-answer.js'

/** What an answer meant for a send. After `split` it goes in a smaller call, after `reduced` without a value. */
export type Meaning =
  | 'delivered'
  | 'skipped'
  | 'later'
  | 'given-up'
  | 'refused'
  | 'split'
  | 'reduced'
  | 'requeue'
  | 'misconfigured'
  | 'lost'

/** One attempt to deliver a send, as its row keeps it in JSON. */
export interface Attempt {
  at: string
  meant: Meaning
  /** How long the call took. */
  ms?: number
  status?: number
  /** Klaviyo's id of the request. */
  request?: string
  code?: string
  detail?: string
  pointer?: string
  /** When it is tried again. */
  next?: string
}

/** How many attempts a row keeps. */
export const attemptsKept = 10

/** Where a send goes after the attempt. */
interface Step {
  to: 'queued' | 'sent' | 'skipped' | 'failed'
  nextAttemptAt?: Date
}

/** What is known of a call when it is over. Of one that was not made, only the moment. */
export interface CallTrace {
  at: Date
  milliseconds?: number
  /** Absent when there was no answer. */
  status?: number | undefined
  /** Klaviyo's id of the request, which its support asks for. */
  requestId?: string | undefined
}

/** The attempt that ended with this outcome, and led to this step. */
export function attemptOf(
  trace: CallTrace,
  { outcome, step, isAlone }: { outcome: Outcome; step: Step; isAlone: boolean },
): Attempt {
  const error = 'error' in outcome ? outcome.error : undefined
  const meant = meaningOf(outcome, step)
  // An error that we found ourselves has no status, though the call went on with the other items.
  const isOurs = error?.status === undefined && (meant === 'refused' || meant === 'split')
  return {
    ...anAttempt(isOurs ? { at: trace.at } : trace, meant, step),
    // One that nobody can assign to an item may quote what belongs to another person.
    ...(error && errorParts(error, { isShared: outcome.is === 'culpritUnknown' && !isAlone })),
  }
}

/** An attempt whose outcome came by another way than the answer to its call. */
export const attemptWithout = (
  trace: CallTrace,
  { meant, step, error }: { meant: Meaning; step: Step; error?: KlaviyoError | undefined },
): Attempt => ({
  ...anAttempt(trace, meant, step),
  ...(error && errorParts(error)),
})

function anAttempt(trace: CallTrace, meant: Meaning, step: Step): Attempt {
  const { at, milliseconds: ms, status, requestId: request } = trace
  return {
    at: at.toISOString(),
    meant,
    ...(ms !== undefined && { ms }),
    ...(status !== undefined && { status }),
    ...(request !== undefined && { request }),
    ...(step.nextAttemptAt && { next: step.nextAttemptAt.toISOString() }),
  }
}

function meaningOf(outcome: Outcome, step: Step): Meaning {
  const isLater = outcome.is === 'later' || outcome.is === 'not-yet'
  if (step.to === 'failed') return isLater ? 'given-up' : 'refused'
  switch (outcome.is) {
    case 'not-yet':
      return 'later'
    case 'culpritUnknown':
      return 'split'
    case 'retryWithout':
      return 'reduced'
    default:
      return outcome.is
  }
}

const longestDetail = 300
const longestPointer = 200

const errorParts = (
  { code, detail, pointer }: KlaviyoError,
  { isShared = false } = {},
): Pick<Attempt, 'code' | 'detail' | 'pointer'> => ({
  code: code.slice(0, 100),
  ...(!isShared && { detail: detail.slice(0, longestDetail) }),
  ...(pointer !== undefined && { pointer: pointer.slice(0, longestPointer) }),
})

import { givenUpDetail } from '../klaviyo/klaviyo-error-text.js'
import type { Message } from '../klaviyo/message.js'
import type { Outcome, KlaviyoError } from '../klaviyo/call-answer.js'
import { smallerBatch, type Send, type Settlement } from './send.js'

/** What the next step of a send depends on, besides the outcome of its call. */
export interface StepContext {
  now: Date
  /** At least 0 and less than 1. */
  random: number
  /** Whether the send was alone in its call, so that a refusal must be about this send. */
  isAlone: boolean
  /** When the outcome is `retryWithout`: this send's own message, without the refused values. */
  reduced?: Message | undefined
}

/** A send fails when it is at least this old ... */
const horizonMs = 4 * 24 * 3_600_000

/** ... and was tried at least this often: days without a key must not use up its attempts. */
const leastAttempts = 13

/** After so many failures in a batch, a send moves to a smaller one: what makes Klaviyo fail must not block others. */
const failuresInBatch = 3

/** Chooses what to write about a send after its call; changes nothing. */
export function nextStep(send: Send, outcome: Outcome, context: StepContext): Settlement {
  const { id, attempts, batchSize, isUnanswered } = send
  const requeued = {
    id,
    to: 'queued' as const,
    nextAttemptAt: context.now,
    attempts,
    batchSize,
    // This call changed nothing, but an earlier one may have.
    ...(isUnanswered && { isUnanswered }),
  }
  switch (outcome.is) {
    case 'delivered':
      return { id, to: 'sent' }
    case 'skipped':
      return { id, to: 'skipped', error: outcome.error }
    case 'refused':
      return { id, to: 'failed', error: outcome.error }
    case 'requeue':
      return requeued
    case 'misconfigured':
      // The send stays due, because the pause is on the call.
      return { ...requeued, error: outcome.error }
    case 'culpritUnknown':
      if (context.isAlone) return { id, to: 'failed', error: outcome.error }
      return { ...requeued, batchSize: smallerBatch(batchSize), error: outcome.error }
    case 'retryWithout':
      if (context.reduced === undefined) return { id, to: 'failed', error: outcome.error }
      return { ...requeued, message: context.reduced, error: outcome.error }
    case 'later':
      return later(send, outcome, context)
  }
}

function later(send: Send, outcome: Outcome & { is: 'later' }, context: StepContext): Settlement {
  const { id, batchSize, isUnanswered } = send
  const { now, random, isAlone } = context
  const { error, costsAttempt, afterSeconds = 0 } = outcome
  const attempts = send.attempts + (costsAttempt ? 1 : 0)
  const ageMs = now.getTime() - send.acceptedAt.getTime()
  if (costsAttempt && attempts >= leastAttempts && ageMs >= horizonMs) {
    return { id, to: 'failed', error: givenUp(error) }
  }
  // Retry-After is a minimum. Where Klaviyo asks to wait, the call waits, and the send stays due.
  const least = costsAttempt ? waitMs(attempts, random) : 0
  const wait = Math.max(afterSeconds * 1000, least)
  const isSuspect = costsAttempt && !isAlone && attempts % failuresInBatch === 0
  return {
    id,
    to: 'queued',
    nextAttemptAt: new Date(now.getTime() + wait),
    attempts,
    batchSize: isSuspect ? smallerBatch(batchSize) : batchSize,
    error,
    ...(isUnanswered && { isUnanswered }),
  }
}

const firstWaitMs = 5_000
const longestWaitMs = 6 * 3_600_000

/**
 * Milliseconds to wait after so many failures, with full jitter: six hours at most from the 14th failure on; the 44th
 * comes after four days (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
 */
export const waitMs = (failures: number, random: number): number =>
  Math.floor(Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1)) * random)

const givenUp = (error: KlaviyoError): KlaviyoError => ({
  ...error,
  detail: givenUpDetail(error.detail),
})

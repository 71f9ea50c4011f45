import type { Message } from '../marketing/message.js'
import type { Outcome, PlatformError } from '../marketing/platform.js'
import { smallerBatch, type Send, type Settlement } from './send.js'

/** What a send's next step depends on, apart from the outcome of its call. */
export interface StepContext {
  now: Date
  /** From 0 up to 1. */
  random: number
  /** Whether nothing else was in the call: then it is this send that the platform does not take. */
  isAlone: boolean
  /** For an amended outcome: this send's own message, without what has to be left out. */
  amended?: Message | undefined
}

/** A send is given up when it is at least this old ... */
const horizonMs = 4 * 24 * 3_600_000

/** ... and was tried at least so often: days without a key must not use up its tries. */
const leastAttempts = 13

/**
 * Failures in a batch after which a send goes in a smaller one: an item that makes the platform fail,
 * instead of being refused, must not take others down for ever.
 */
const failuresInBatch = 3

/**
 * How long an import may keep the later sends of its profiles waiting. They would be overtaken by it:
 * it writes what it was given when the platform gets to it.
 */
const importHoldMs = 5 * 60_000

/** What is written of a send after its call. Chooses; changes nothing. */
export function nextStep(send: Send, outcome: Outcome, context: StepContext): Settlement {
  const { id, attempts, batchSize, message } = send
  const again = { id, to: 'queued' as const, nextAttemptAt: context.now, attempts, batchSize }
  switch (outcome.is) {
    case 'delivered': {
      const { job } = outcome
      if (job === undefined) return { id, to: 'sent' }
      // A list add brings no values along, so that nothing has to wait for its import.
      if (message.kind !== 'identify') return { id, to: 'sent', job }
      return { id, to: 'sending', job, until: new Date(context.now.getTime() + importHoldMs) }
    }
    case 'skipped':
      return { id, to: 'skipped', error: outcome.error }
    case 'refused':
      return { id, to: 'failed', error: outcome.error }
    case 'again':
      return again
    case 'misconfigured':
      // Due at once: it is the call that is paused, not the send.
      return { ...again, error: outcome.error }
    case 'suspect':
      if (context.isAlone) return { id, to: 'failed', error: outcome.error }
      return { ...again, batchSize: smallerBatch(batchSize), error: outcome.error }
    case 'amended':
      if (context.amended === undefined) return { id, to: 'failed', error: outcome.error }
      return { ...again, message: context.amended, error: outcome.error }
    case 'later':
      return later(send, outcome, context)
  }
}

function later(send: Send, outcome: Outcome & { is: 'later' }, context: StepContext): Settlement {
  const { id, batchSize } = send
  const { now, random, isAlone } = context
  const { error, costsAttempt, afterSeconds = 0 } = outcome
  const attempts = send.attempts + (costsAttempt ? 1 : 0)
  const ageMs = now.getTime() - send.acceptedAt.getTime()
  if (costsAttempt && attempts >= leastAttempts && ageMs >= horizonMs) {
    return { id, to: 'failed', error: givenUp(error) }
  }
  // Retry-After is a floor, not a hint.
  const wait = Math.max(afterSeconds * 1000, waitMs(Math.max(1, attempts), random))
  const isSuspect = costsAttempt && !isAlone && attempts % failuresInBatch === 0
  return {
    id,
    to: 'queued',
    nextAttemptAt: new Date(now.getTime() + wait),
    attempts,
    batchSize: isSuspect ? smallerBatch(batchSize) : batchSize,
    error,
  }
}

const firstWaitMs = 5_000
const longestWaitMs = 6 * 3_600_000

/**
 * How long to wait after so many failures. Full jitter: anything from nothing to a bound that doubles,
 * half of it on average (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
 * The bound is six hours from the 14th failure on, the 44th comes after four days.
 */
export const waitMs = (failures: number, random: number): number =>
  Math.floor(Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1)) * random)

const givenUp = (error: PlatformError): PlatformError => ({
  ...error,
  detail: `Given up after days of tries. ${error.detail}`,
})

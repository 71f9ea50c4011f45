import type { KlaviyoError } from '../klaviyo/call-answer.js'
import { attemptWithout } from './attempts.js'
import { smallerBatch, type Settlement, type WaitingSend } from './send.js'

/** A send that was in a call when the previous deliverer died. */
export interface InFlightSend extends WaitingSend {
  call: string | undefined
}

/** How many processes may die with a singled-out send before it is marked as failed. */
const lostProcessesLimit = 3

/**
 * How long a send waits after the first process that died with it, and after the second. Processes die in
 * clusters of minutes, for example during a deployment. A harmless send has its last try when that is over; a
 * harmful one kills again.
 */
export const waitAfterLossMs: readonly number[] = [20_000, 5 * 60_000]

/** For so long after a takeover, some sends may wait because a process died with them. */
export const longestWaitAfterLossMs = Math.max(...waitAfterLossMs)

/** Milliseconds between the tries of such sends, since any of them may be the cause. */
export const apartMs = 500

/** A send that was accepted longer ago no longer waits for a cluster to end. */
const longestClusterMs = 60 * 60_000

/**
 * The sends of a lost call lose no attempt, and go into smaller calls. One that was alone is singled
 * out, and fails when more processes die with it.
 */
export function settleLostCalls(lost: readonly InFlightSend[], now: Date): Settlement[] {
  const withAttempt = (step: Settlement, error?: KlaviyoError): Settlement => ({
    ...step,
    attempt: attemptWithout({ at: now }, { meant: 'lost', step, error }),
  })
  const inCall = new Map<string | undefined, number>()
  for (const { call } of lost) inCall.set(call, (inCall.get(call) ?? 0) + 1)
  return lost.map((send): Settlement => {
    const { id, attempts } = send
    const isAlone = inCall.get(send.call) === 1
    const isSingledOut = isAlone && send.batchSize === 1
    const crashes = isSingledOut ? send.crashes + 1 : send.crashes
    if (crashes >= lostProcessesLimit) {
      return withAttempt({ id, to: 'failed', error: processLost, crashes }, processLost)
    }
    const waitMs = isSingledOut ? (waitAfterLossMs[send.crashes] ?? 0) : 0
    return withAttempt({
      id,
      to: 'queued',
      nextAttemptAt: new Date(now.getTime() + waitMs),
      attempts,
      batchSize: isAlone ? 1 : smallerBatch(send.batchSize),
      crashes,
      isUnanswered: true,
    })
  })
}

/**
 * When to try sends again that were alone when their process died. Every death restarts their wait, because
 * they must not be blamed for a cluster of deaths that goes on.
 */
export function putOffSuspects(
  suspects: readonly WaitingSend[],
  now: Date,
): { id: number; nextAttemptAt: Date }[] {
  return suspects.flatMap(({ id, crashes, acceptedAt, dueAt }, place) => {
    const isTooOld = now.getTime() - acceptedAt.getTime() > longestClusterMs
    const waitMs = isTooOld ? 0 : (waitAfterLossMs[crashes - 1] ?? 0)
    const at = new Date(now.getTime() + waitMs + place * apartMs)
    return at.getTime() > dueAt ? [{ id, nextAttemptAt: at }] : []
  })
}

const processLost = {
  code: 'WORKER_LOST',
  detail: `The process that was sending it ended unexpectedly ${lostProcessesLimit} more times while this send was alone in its call.`,
}

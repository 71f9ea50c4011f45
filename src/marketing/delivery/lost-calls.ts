import type { Shop } from '../../core/shop.js'
import type { Lease } from '../../core/workers/lease.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import { attemptWithout } from './attempt.js'
import type { DeliveryStore } from './delivery-store.js'
import { smallerBatch, type Settlement, type WaitingSend } from './send.js'
import type { InFlightSend } from './waiting-sends.js'

/** How many processes may die with a singled-out send before it is marked as failed. */
const lostProcessesLimit = 3

/** How long a send waits after each process that died with it: processes die in clusters, as during a deployment. */
export const waitAfterLossMs: readonly number[] = [20_000, 5 * 60_000]

/** For so long after a takeover, some sends may wait because a process died with them. */
export const longestWaitAfterLossMs = Math.max(...waitAfterLossMs)

/** Milliseconds between the tries of such sends, since any of them may be the cause. */
export const apartMs = 500

/** A send that was accepted longer ago no longer waits for a cluster to end. */
const longestClusterMs = 60 * 60_000

/** Takes over the sends that the previous deliverer had in calls. */
export async function takeOver(
  { waits, effects }: Shop,
  {
    store,
    lease,
    renew,
    aheadMs,
  }: {
    store: DeliveryStore
    lease: Lease
    renew: () => Promise<void>
    /** How far the clock of the previous deliverer may be ahead of this one. */
    aheadMs: number
  },
): Promise<void> {
  if (aheadMs > 0) await store.bringForward(aheadMs, lease)
  const lost = await store.readInFlight()
  if (lost.length === 0) return
  // If this process is lost too, the next one has to know by how much these moments are ahead.
  await renew()
  await store.settle(settleLostCalls(lost, waits.now()), lease, effects.now())
  const suspects = await store.readSuspects()
  await store.putOff(putOffSuspects(suspects, waits.now()), lease)
}

/** The sends of a lost call lose no attempt and go into smaller calls. One that is alone fails after more deaths. */
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

/** Every death restarts the wait of all suspects: they must not be blamed for a cluster of deaths that goes on. */
function putOffSuspects(
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

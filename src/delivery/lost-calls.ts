import { smallerBatch, type Settlement, type WaitingSend } from './send.js'

/** A send that was in a call, or in an import, when the process before was lost. */
export interface InFlightSend extends WaitingSend {
  call: string | undefined
  job: string | undefined
}

/** Processes that a send which was singled out may take down before it is set aside. */
export const lostProcessesLimit = 3

/**
 * How long such a send waits after the first of them, and after the second. Processes die in clusters
 * (a deployment, a machine short of memory), for minutes: a send that only happened to be there is past
 * the cluster when it is tried for the last time, one that takes its process down still does.
 */
export const waitAfterLossMs: readonly number[] = [20_000, 5 * 60_000]

/** How far apart such sends are tried: one of them may be to blame. */
const apartMs = 500

/** Since it was accepted. Longer than that no send waits for a cluster to end. */
const longestClusterMs = 60 * 60_000

/**
 * What becomes of the sends that were in a call when their process was lost. It costs no attempts; the
 * next call takes fewer of them together. One that was alone is singled out, and set aside as failed
 * when more processes are lost with it.
 */
export function settleLostCalls(lost: readonly InFlightSend[], now: Date): Settlement[] {
  const inCall = new Map<string | undefined, number>()
  for (const { call } of lost) inCall.set(call, (inCall.get(call) ?? 0) + 1)
  return lost.map((send): Settlement => {
    const { id, attempts } = send
    const isAlone = inCall.get(send.call) === 1
    const isSingledOut = isAlone && send.batchSize === 1
    const crashes = isSingledOut ? send.crashes + 1 : send.crashes
    if (crashes >= lostProcessesLimit) return { id, to: 'failed', error: processLost, crashes }
    const waitMs = isSingledOut ? (waitAfterLossMs[send.crashes] ?? 0) : 0
    return {
      id,
      to: 'queued',
      nextAttemptAt: new Date(now.getTime() + waitMs),
      attempts,
      batchSize: isAlone ? 1 : smallerBatch(send.batchSize),
      crashes,
      isUnanswered: true,
    }
  })
}

/** A send that waits, and that processes were lost with. */
export interface SuspectSend {
  id: number
  crashes: number
  acceptedAt: Date
  nextAttemptAt: Date
}

/**
 * When suspects are tried after a process was lost: every loss begins their wait anew, since they must
 * not be blamed for a cluster that goes on.
 */
export function putOffSuspects(
  suspects: readonly SuspectSend[],
  now: Date,
): { id: number; nextAttemptAt: Date }[] {
  return suspects.flatMap(({ id, crashes, acceptedAt, nextAttemptAt }, place) => {
    const isTooOld = now.getTime() - acceptedAt.getTime() > longestClusterMs
    const waitMs = isTooOld ? 0 : (waitAfterLossMs[crashes - 1] ?? 0)
    const at = new Date(now.getTime() + waitMs + place * apartMs)
    return at > nextAttemptAt ? [{ id, nextAttemptAt: at }] : []
  })
}

const processLost = {
  code: 'WORKER_LOST',
  detail: `The process that was sending it ended ${lostProcessesLimit} times more while it was in its hands alone.`,
}

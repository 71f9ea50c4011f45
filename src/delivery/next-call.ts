/** Waiting sends up to which single calls are made: more go together. */
export const fewWaiting = 25

/** How long sends may wait for more. */
export const fillWaitMs = 1_000

/** What a call's log has room for. */
export interface CallRoom {
  /** Calls that may start now. */
  free: number
  /** When one may start, milliseconds since 1970. */
  nextAt: number
  /** The last call, milliseconds since 1970; 0 when there was none in the last minute. */
  lastAt: number
  /** Calls in the last second. */
  recent: number
  /** The time between calls at which the limit of a minute is never used up. */
  paceMs: number
  /** The first call after a pause: one item, to see whether the platform is back. */
  isProbe: boolean
  /** When such a call may be made, milliseconds since 1970; undefined when there is no such pause. */
  probeAt: number | undefined
}

export interface CallQuestion {
  /** Due sends, counted up to `full` at least. */
  count: number
  /** Since when the oldest has been due, milliseconds since 1970. */
  dueSince: number
  now: number
  /** Sends that fill a call of many. */
  full: number
  /** The call for one; undefined when there is none. */
  single?: CallRoom | undefined
  /** The call for many. */
  bulk: CallRoom
}

export type NextCall =
  /** So many single calls at once. */
  | { do: 'single'; calls: number; isProbe: boolean }
  /** One call of so many items at most. */
  | { do: 'bulk'; items: number; isProbe: boolean }
  | { do: 'wait'; until: number }

/** Chooses the call for what waits; changes nothing. */
export function nextCall(question: CallQuestion): NextCall {
  const { full, bulk, now } = question
  const isFew = goOneByOne(question)
  const single = isFew ? question.single : undefined
  const manyAt = bulkAt(question, isFew)
  if (single !== undefined) {
    const calls = singleCalls(question, single, manyAt)
    if (calls > 0) return { do: 'single', calls, isProbe: single.isProbe }
  }
  if (manyAt <= now) return { do: 'bulk', items: bulk.isProbe ? 1 : full, isProbe: bulk.isProbe }
  const fillUntil = question.dueSince + fillWaitMs
  const lookAt = single?.nextAt ?? (fillUntil > now ? fillUntil : manyAt)
  return { do: 'wait', until: Math.max(now + 1, Math.min(manyAt, lookAt)) }
}

/**
 * Few go one by one, at once. Where that was done often in the last second more are coming, and
 * these wait for more: a call for each costs the database as much as a call for many. Nobody
 * waits longer because there is no permit for many.
 */
function goOneByOne({ count, full, dueSince, single, bulk, now }: CallQuestion): boolean {
  if (full === 1) return true
  if (count > fewWaiting) return false
  const isBusy = single !== undefined && single.recent >= fewWaiting
  return !isBusy || (dueSince + fillWaitMs <= now && bulk.nextAt > now)
}

/** None when there are too few permits, and the call for many can be made at once. */
function singleCalls({ count, full, now }: CallQuestion, single: CallRoom, manyAt: number): number {
  // One that has to be alone is so in its worker's hands too: only then it is known what took it down.
  const wanted = single.isProbe || full === 1 ? 1 : count
  return single.free >= wanted || manyAt > now ? Math.min(wanted, single.free) : 0
}

/**
 * When the call for many is due. A full one is due as soon as there is a permit. Others are spread evenly
 * over the limit of a minute, and where many come, each waits for more.
 */
function bulkAt({ count, full, dueSince, single, bulk }: CallQuestion, isFew: boolean): number {
  if (full === 1 && single !== undefined) return Number.POSITIVE_INFINITY
  if (count >= full) return bulk.nextAt
  const paced = Math.max(bulk.nextAt, bulk.lastAt + bulk.paceMs)
  return isFew ? paced : Math.max(paced, dueSince + fillWaitMs, bulk.lastAt + fillWaitMs)
}

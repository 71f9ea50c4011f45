/** Up to this many waiting sends go in single calls at once. More go in one call for many, if there is one. */
export const fewWaiting = 25

/** How long sends may wait for more sends to join their call. */
const fillWaitMs = 1_000

/** The capacity of one kind of call. */
export interface CallCapacity {
  /** How many calls may start now. */
  free: number
  /** When a call may start, in milliseconds since 1970. */
  nextAt: number
  /** When the last call was made, in milliseconds since 1970; 0 if none was in the last minute. */
  lastAt: number
  /** How many calls were made in the last second. */
  recent: number
  /** Milliseconds between calls of a long queue. */
  paceMs: number
  /** Between calls that are nearly empty, so that Klaviyo's limit for a minute is never reached. */
  leastPaceMs: number
  /** When the next call of a long queue may start, in milliseconds since 1970. */
  evenAt: number
  /** Whether the next call is the first after a pause. It has one item. */
  isProbe: boolean
  /** When a probe may be made, in milliseconds since 1970; undefined unless a probe is needed. */
  probeAt: number | undefined
}

export interface CallQuestion {
  /** How many sends are due. The count may stop at `full`. */
  count: number
  /** When the oldest send became due, in milliseconds since 1970. */
  dueSince: number
  now: number
  /** How many sends fill a call for many. */
  full: number
  /** Capacity of the call for one send; undefined when there is no such call. */
  single?: CallCapacity | undefined
  /** Capacity of the call for many sends; undefined when there is no such call. */
  bulk?: CallCapacity | undefined
}

type NextCall =
  /** Make this many single calls at once. */
  | { do: 'single'; calls: number; isProbe: boolean }
  /** Make one call with at most this many items. */
  | { do: 'bulk'; items: number; isProbe: boolean }
  | { do: 'wait'; until: number }

/** Chooses the next call for the waiting sends; changes nothing. */
export function nextCall(question: CallQuestion): NextCall {
  const { full, bulk, now } = question
  const isFew = goOneByOne(question)
  const single = isFew ? question.single : undefined
  const manyAt = bulk === undefined ? Number.POSITIVE_INFINITY : bulkAt(question, bulk, isFew)
  if (single !== undefined) {
    const calls = singleCalls(question, single, manyAt)
    if (calls > 0) return { do: 'single', calls, isProbe: single.isProbe }
  }
  if (bulk !== undefined && manyAt <= now)
    return { do: 'bulk', items: bulk.isProbe ? 1 : full, isProbe: bulk.isProbe }
  const fillUntil = question.dueSince + fillWaitMs
  const pollAt = single?.nextAt ?? (fillUntil > now ? fillUntil : manyAt)
  return { do: 'wait', until: Math.max(now + 1, Math.min(manyAt, pollAt)) }
}

/**
 * Few sends go one by one, at once. When many went in the last second, they wait to share a call, which costs the
 * database less; but no send waits longer because the call for many has no permit.
 */
function goOneByOne({ count, full, dueSince, single, bulk, now }: CallQuestion): boolean {
  if (full === 1 || bulk === undefined) return true
  if (count > fewWaiting) return false
  const isBusy = single !== undefined && single.recent >= fewWaiting
  return !isBusy || (dueSince + fillWaitMs <= now && bulk.nextAt > now)
}

/** Zero when there are too few permits and the call for many can be made at once. */
function singleCalls(
  { count, full, now }: CallQuestion,
  single: CallCapacity,
  manyAt: number,
): number {
  // A send that must be alone goes in a single call by itself, so that the cause of a crash is certain.
  const wanted = single.isProbe || full === 1 ? 1 : count
  return single.free >= wanted || manyAt > now ? Math.min(wanted, single.free) : 0
}

/** When the call for many is due. Full calls are spread over the minute; others pause, and wait for more sends. */
function bulkAt(
  { count, full, dueSince, single }: CallQuestion,
  bulk: CallCapacity,
  isFew: boolean,
): number {
  if (full === 1 && single !== undefined) return Number.POSITIVE_INFINITY
  if (count >= full)
    return full === 1 || bulk.isProbe ? bulk.nextAt : Math.max(bulk.nextAt, bulk.evenAt)
  const { paceMs, leastPaceMs } = bulk
  const paced = Math.max(bulk.nextAt, bulk.lastAt + Math.max(leastPaceMs, (paceMs * count) / full))
  return isFew ? paced : Math.max(paced, dueSince + fillWaitMs, bulk.lastAt + fillWaitMs)
}

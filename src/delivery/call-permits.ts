import type { CallLimits, RateReading } from '../marketing/platform.js'
import type { CallLog } from './call-log.js'

/**
 * The platform counts calls in fixed windows of a second and of a minute whose phase nobody knows. No
 * more calls than the limit in the last second and the last minute can exceed none of them, and loses
 * no throughput. The windows are a little wider here: calls do not all travel equally fast.
 */
const burstWindowMs = 1_000 + 100
const steadyWindowMs = 60_000 + 200

/**
 * Calls are kept by bins, each counted as at its end, so that the log stays small: 22 bins of the last
 * second and some 400 of the minute before. A saturated minute is 60.35 s long that way, 99.4 %.
 */
const fineBinMs = 50
const coarseBinMs = 150

/** A call may start this long after its permit's moment without telling the log. */
export const permitFreshMs = 50

type Limits = Pick<CallLimits, 'burst' | 'steady'>

export interface Permits {
  granted: number
  log: CallLog
  /** When the next permit is free, milliseconds since 1970: `now` or earlier when one is free now. */
  nextPermitAt: number
}

/** Permits for calls that start now: as many of those wanted as both windows have room for. */
export function takePermits(
  log: CallLog,
  limits: Limits,
  at: { now: number; wanted: number },
): Permits {
  const { now, wanted } = at
  const granted = Math.max(0, Math.min(wanted, freePermits(log, limits, now)))
  const taken = granted === 0 ? log : withCalls(log, now, granted)
  return { granted, log: taken, nextPermitAt: nextPermitAt(taken, limits, now) }
}

/** Calls that may start now. */
export function freePermits(log: CallLog, limits: Limits, now: number): number {
  if ((log.pausedUntil ?? 0) > now) return 0
  const burst = limits.burst - callsSince(log, now - burstWindowMs)
  const steady = steadyLimit(log, limits) - callsSince(log, now - steadyWindowMs)
  return Math.max(0, Math.min(burst, steady))
}

/** When at least one call may start. */
export function nextPermitAt(log: CallLog, limits: Limits, now: number): number {
  return Math.max(
    now,
    log.pausedUntil ?? 0,
    roomAt(log, limits.burst, now - burstWindowMs) + burstWindowMs,
    roomAt(log, steadyLimit(log, limits), now - steadyWindowMs) + steadyWindowMs,
  )
}

/** The log with one call moved from its permit's moment to now, for a call that starts late. */
export function movePermit(log: CallLog, from: number, now: number): CallLog {
  const places = [binEnd(from, fineBinMs), binEnd(from, coarseBinMs)]
  const place = log.calls.findIndex(([at]) => places.includes(at))
  const calls = log.calls.map(([at, count], index): [number, number] => [
    at,
    index === place ? count - 1 : count,
  ])
  return withCalls({ ...log, calls: calls.filter(([, count]) => count > 0) }, now, 1)
}

/**
 * The log with what an answer's headers say: the platform's own steady limit, the calls of others who
 * use the same key, and the moment before which nobody may call.
 */
export function learn(
  log: CallLog,
  limits: Limits,
  { reading, now }: { reading: RateReading; now: number },
): CallLog {
  const { limit, remaining, resetSeconds, retryAfterSeconds } = reading
  let learned = log
  if (limit !== undefined && limit > 0 && limit !== steadyLimit(log, limits)) {
    learned = { ...learned, steadyLimit: limit }
  }
  if (remaining !== undefined) {
    const used = (limit ?? steadyLimit(learned, limits)) - remaining
    // The window's start is told to the second: ours are counted from a little before, as a call of
    // ours taken for another's would be counted twice, over and over.
    const sinceStart = resetSeconds === undefined ? 60_000 : (60 - resetSeconds) * 1000 + 1_200
    const others = used - callsSince(learned, now - sinceStart)
    if (others > 0) learned = withCalls(learned, now, others)
  }
  if (retryAfterSeconds !== undefined) {
    const until = now + retryAfterSeconds * 1000
    if (until > (log.pausedUntil ?? 0)) {
      learned = { ...learned, pausedUntil: until, pauseReason: log.pauseReason ?? 'rate-limited' }
    }
  }
  return learned
}

const steadyLimit = (log: CallLog, limits: Limits) => log.steadyLimit ?? limits.steady

const binEnd = (at: number, binMs: number) => Math.ceil(at / binMs) * binMs

export function callsSince(log: CallLog, since: number): number {
  let calls = 0
  for (const [at, count] of log.calls) if (at > since) calls += count
  return calls
}

/** The moment of the call that has to leave the window for a permit to be free; 0 when one is. */
function roomAt(log: CallLog, limit: number, since: number): number {
  let tooMany = callsSince(log, since) - limit + 1
  if (tooMany <= 0) return Number.NEGATIVE_INFINITY
  for (const [at, count] of log.calls) {
    if (at > since) tooMany -= count
    if (tooMany <= 0) return at
  }
  return Number.NEGATIVE_INFINITY
}

/** The log with more calls made now, without those that no window sees any more. */
function withCalls(log: CallLog, now: number, count: number): CallLog {
  const bins = new Map<number, number>()
  const add = (at: number, calls: number) => bins.set(at, (bins.get(at) ?? 0) + calls)
  for (const [at, calls] of log.calls) {
    if (at <= now - steadyWindowMs) continue
    add(at > now - burstWindowMs - coarseBinMs ? at : binEnd(at, coarseBinMs), calls)
  }
  add(binEnd(now, fineBinMs), count)
  return { ...log, calls: [...bins].sort(([a], [b]) => a - b) }
}

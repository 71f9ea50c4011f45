import type { CallName, Outcome, PlatformBounds, RateReading } from '../marketing/platform.js'
import type { Log } from '../store/log.js'
import {
  afterCall,
  isProbing,
  isUntilSuccess,
  logForKey,
  markOfKey,
  pausedFor,
  probeHoldMs,
  resumed,
  verdictOf,
  type Verdict,
} from './call-health.js'
import type { CallLog, CallLogs } from './call-log.js'
import type { Clock } from './clock.js'
import {
  callsSince,
  freePermits,
  learn,
  movePermit,
  nextPermitAt,
  permitFreshMs,
  takePermits,
} from './call-permits.js'
import type { CallRoom } from './next-call.js'

/** The right to make one call. */
export interface Permit {
  call: CallName
  apiKey: string
  /** Milliseconds since 1970. */
  at: number
  /** The first call after a pause: it is made with one item. */
  isProbe: boolean
}

export interface CallPause {
  call: CallName
  reason: string
  since: Date
  until: Date
}

/** The calls that may be made: what the documents, the answers' headers and the pauses leave. */
export interface CallBudget {
  roomFor(call: CallName, apiKey: string): CallRoom
  /** As many permits as there are. */
  take(call: CallName, apiKey: string, wanted: number): Permit[]
  /** Right before the call. False when calls were paused meanwhile: then it is not made. */
  begin(permit: Permit): boolean
  /** For a call that was not made: were it to end a pause, another one may do so at once. */
  unused(permit: Permit): void
  /** What a call said of the limits and of the platform. */
  report(permit: Permit, outcomes: readonly Outcome[], rate: RateReading | undefined): void
  /** For whoever takes over. */
  logs(): CallLogs
}

export interface BudgetParts {
  /** What is known of the calls so far. */
  logs: CallLogs
  bounds: PlatformBounds
  clock: Clock
  random: () => number
  log: Log
  /** Called when calls work again after an outage. */
  onRecovered: (call: CallName) => void
  /** Called when a pause begins or ends: others are to know of it. */
  onPause: () => void
}

const none: CallLog = { calls: [] }

export function createCallBudget(parts: BudgetParts): CallBudget {
  const { bounds, clock, random, log, onRecovered, onPause } = parts
  const logs = new Map(Object.entries(parts.logs) as [CallName, CallLog][])
  const now = () => clock.now().getTime()
  const read = ({ call, apiKey }: Pick<Permit, 'call' | 'apiKey'>) =>
    logForKey(logs.get(call) ?? none, markOfKey(apiKey))
  const write = ({ call, apiKey }: Pick<Permit, 'call' | 'apiKey'>, next: CallLog) =>
    void logs.set(call, pausedFor(next, markOfKey(apiKey)))
  const others = (permit: Permit) =>
    (Object.keys(bounds.calls) as CallName[])
      .filter((call) => call !== permit.call)
      .map((call) => ({ ...permit, call }))

  const warnOfPause = (call: CallName, { pausedUntil, pauseReason, failures }: CallLog): void => {
    if (pausedUntil === undefined || pauseReason === undefined) return
    const until = new Date(pausedUntil).toISOString()
    const fields = { call, reason: pauseReason, until, failures }
    log.warn(fields, 'Calls to the marketing platform are paused')
  }

  return {
    roomFor(call, apiKey) {
      const callLog = read({ call, apiKey })
      const limits = bounds.calls[call]
      const isProbe = isProbing(callLog, now())
      const free = freePermits(callLog, limits, now())
      return {
        free: isProbe ? Math.min(1, free) : free,
        nextAt: nextPermitAt(callLog, limits, now()),
        lastAt: callLog.calls.at(-1)?.[0] ?? 0,
        recent: callsSince(callLog, now() - 1_000),
        paceMs: 60_000 / (callLog.steadyLimit ?? limits.steady),
        isProbe,
        probeAt: isUntilSuccess(callLog) ? (callLog.pausedUntil ?? 0) : undefined,
      }
    },

    take(call, apiKey, wanted) {
      const before = read({ call, apiKey })
      const at = now()
      const isProbe = isProbing(before, at)
      const limits = bounds.calls[call]
      const taken = takePermits(before, limits, { now: at, wanted: isProbe ? 1 : wanted })
      // The others wait for what this one call says.
      const held = { ...taken.log, pausedUntil: at + probeHoldMs }
      if (taken.granted > 0) write({ call, apiKey }, isProbe ? held : taken.log)
      return Array.from({ length: taken.granted }, () => ({ call, apiKey, at, isProbe }))
    },

    begin(permit) {
      const at = now()
      const before = read(permit)
      if (!permit.isProbe && (before.pausedUntil ?? 0) > at) return false
      if (at - permit.at > permitFreshMs) write(permit, movePermit(before, permit.at, at))
      return true
    },

    unused(permit) {
      const before = read(permit)
      const isHeld = before.pausedUntil === permit.at + probeHoldMs
      if (permit.isProbe && isHeld) write(permit, { ...before, pausedUntil: now() })
    },

    report(permit, outcomes, rate) {
      const at = now()
      const verdict = verdictOf(outcomes)
      // A key that is refused, or taken again, is so by every call; a scope is missing for some.
      const isKeyRefused = outcomes.some((o) => o.is === 'misconfigured' && o.error.status === 401)
      const { isProbe } = permit
      const report = { verdict, isProbe, isKeyRefused, now: at, random: random() }
      const before = read(permit)
      const limits = bounds.calls[permit.call]
      const after = afterCall(before, report)
      const learned = rate ? learn(after, limits, { reading: rate, now: at }) : after
      write(permit, learned)
      for (const other of others(permit)) {
        const known = read(other)
        write(other, afterOther(known, { ...report, isProbe: false, random: 0 }, before))
      }
      if (hasRecovered(verdict, before)) onRecovered(permit.call)
      if (learned.pauseReason !== before.pauseReason) onPause()
      if (isProbe || before.pauseReason === undefined) warnOfPause(permit.call, learned)
    },

    logs: () => Object.fromEntries([...logs].map(([call, callLog]) => [call, inSeconds(callLog)])),
  }
}

const hasRecovered = (verdict: Verdict, { pauseReason }: CallLog) =>
  verdict === 'answered' && pauseReason === 'outage'

/** What a call says of the other ones, whose log that is; `before` is its own. */
function afterOther(
  log: CallLog,
  report: Parameters<typeof afterCall>[1] & { isKeyRefused: boolean },
  before: CallLog,
): CallLog {
  const { verdict, isKeyRefused, now } = report
  const isPausedSo = log.pauseReason === 'misconfigured' && (log.pausedUntil ?? 0) > now
  if (verdict === 'misconfigured' && isKeyRefused && !isPausedSo) return afterCall(log, report)
  if (verdict === 'answered' && before.isKeyRefused && log.isKeyRefused) return resumed(log)
  // It need not wait to look whether the platform is back.
  const isAway = log.pauseReason === 'outage' && hasRecovered(verdict, before)
  return isAway ? { ...log, pausedUntil: now } : log
}

/** The pauses that hold for that key. */
export function pausesOf(logs: CallLogs, apiKey: string, now: number): CallPause[] {
  return (Object.entries(logs) as [CallName, CallLog][]).flatMap(([call, callLog]) => {
    const { pauseReason, pausedSince, pausedUntil = now } = logForKey(callLog, markOfKey(apiKey))
    if (pauseReason === undefined || (pauseReason === 'rate-limited' && pausedUntil <= now))
      return []
    const since = new Date(pausedSince ?? now)
    return [{ call, reason: pauseReason, since, until: new Date(pausedUntil) }]
  })
}

/**
 * What is kept in the database: calls by the second in which they ended at the latest, as a call begins
 * some time after its permit was written.
 */
function inSeconds(callLog: CallLog): CallLog {
  const seconds = new Map<number, number>()
  for (const [at, count] of callLog.calls) {
    const second = Math.ceil((at + beginMs) / 1_000) * 1_000
    seconds.set(second, (seconds.get(second) ?? 0) + count)
  }
  return { ...callLog, calls: [...seconds] }
}

const beginMs = 250

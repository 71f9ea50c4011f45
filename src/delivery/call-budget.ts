import type {
  CallName,
  Outcome,
  PlatformBounds,
  RateReading,
  CallLimits,
} from '../klaviyo/platform.js'
import type { Log } from '../database/log.js'
import {
  logOf,
  stateOf,
  type CallLogs,
  type CallState,
  type Pause,
  isUntilAnswer,
  pausedUntil,
} from './call-log.js'
import { markOfKey } from '../klaviyo/mark-of-key.js'
import type { Clock } from './clock.js'
import type { CallCapacity } from './next-call.js'

/**
 * The platform counts calls in fixed seconds and minutes, whose start nobody knows. If the last second
 * and minute never hold more than the limit, none of its windows does, and no throughput is lost. Ours
 * are wider, because calls do not all travel equally fast.
 */
const burstWindowMs = 1_000 + 100
const steadyWindowMs = 60_000 + 200

/** How many calls may start now, given the calls already made, and when the next one may start. */
function capacityInWindows(
  calls: readonly number[],
  { burst, steady }: Pick<CallLimits, 'burst' | 'steady'>,
  now: number,
): { free: number; nextAt: number } {
  const second = calls.slice(placeAfter(calls, now - burstWindowMs))
  const minute = calls.slice(placeAfter(calls, now - steadyWindowMs))
  const burstLeaves = second.at(-burst) ?? 0
  const steadyLeaves = minute.at(-steady) ?? 0
  return {
    free: Math.max(0, Math.min(burst - second.length, steady - minute.length)),
    nextAt: Math.max(now, burstLeaves + burstWindowMs, steadyLeaves + steadyWindowMs),
  }
}

/** Adds `count` calls made now, and drops the calls that are older than both windows. */
function withCalls(calls: readonly number[], now: number, count: number): number[] {
  const place = placeAfter(calls, now)
  const seen = calls.slice(placeAfter(calls, now - steadyWindowMs), place)
  return [...seen, ...Array<number>(count).fill(now), ...calls.slice(place)]
}

const placeAfter = (calls: readonly number[], moment: number): number =>
  calls.findLastIndex((at) => at <= moment) + 1

/** The right to make one call. */
export interface Permit {
  call: CallName
  apiKey: string
  /** Milliseconds since 1970. */
  at: number
  /** Whether it is the first call after a pause. Such a call has one item. */
  isProbe: boolean
}

interface BudgetParts {
  /** The call logs of the process that delivered before. */
  logs: CallLogs
  bounds: PlatformBounds
  clock: Clock
  random: () => number
  log: Log
  /** Called when a call succeeds again after an outage. */
  onRecovered: (call: CallName) => void
  /** Called when a pause begins or ends, so that the change is stored for other processes. */
  onPause: () => void
}

/** Longer than the first call after a pause can take. */
const longestProbeMs = 7_000

/** After a single failure only its own sends wait, since it may be a blip. */
const failuresBeforePause = 2

/** How long nothing is sent with a key that the platform refuses. */
export const misconfiguredPauseMs = 60_000

/** The longest wait between two probes during an outage. */
const longestOutagePauseMs = 50_000

/**
 * Twice as long after each failure. Up to a fifth is taken off at random, so that several shops do not
 * return at the same moment.
 */
const outagePauseMs = (failures: number, random: number): number =>
  Math.floor(Math.min(longestOutagePauseMs, 250 * 2 ** failures) * (0.8 + random / 5))

/** Decides how many calls may be made, from documented limits, answers' headers and pauses. */
export function createCallBudget(parts: BudgetParts) {
  const { bounds, clock, random, log, onRecovered, onPause } = parts
  let { key } = parts.logs
  const states = Object.fromEntries(
    Object.keys(bounds.calls).map((call) => [call, stateOf(parts.logs.calls?.[call as CallName])]),
  ) as Record<CallName, CallState>
  const all = Object.values(states)
  const now = () => clock.now().getTime()
  const limitsOf = (call: CallName) => ({
    burst: bounds.calls[call].burst,
    steady: states[call].steadyLimit ?? bounds.calls[call].steady,
  })

  /** A pause may concern only the account of its key, so a new key begins without pauses. */
  function useKey(mark: string): void {
    if (mark === key) return
    key = mark
    for (const state of all) Object.assign(state, { failures: 0, pause: undefined })
  }

  function capacityFor(call: CallName, apiKey: string, at = now()): CallCapacity {
    useKey(markOfKey(apiKey))
    const { calls, pause } = states[call]
    const limits = limitsOf(call)
    const { free, nextAt } = capacityInWindows(calls, limits, at)
    const until = pausedUntil(pause)
    const isProbe = isUntilAnswer(pause) && until <= at
    return {
      free: until > at ? 0 : Math.min(free, isProbe ? 1 : free),
      nextAt: Math.max(nextAt, until),
      lastAt: calls.at(-1) ?? 0,
      recent: calls.filter((madeAt) => madeAt > at - 1_000).length,
      paceMs: 60_000 / limits.steady,
      isProbe,
      probeAt: isUntilAnswer(pause) ? until : undefined,
    }
  }

  /** Adopts the platform's limit for a minute, and counts what others call with the same key. */
  function learn(call: CallName, { limit, remaining, resetSeconds = 0 }: RateReading): void {
    const state = states[call]
    if (limit) state.steadyLimit = limit
    if (remaining === undefined) return
    // The platform gives the window's start in whole seconds. Our calls are counted from slightly
    // earlier: otherwise a call of ours that is taken for another's would be counted twice, again and
    // again.
    const sinceStart = (60 - resetSeconds) * 1_000 + 1_200
    const own = state.calls.filter((at) => at > now() - sinceStart).length
    const others = limitsOf(call).steady - remaining - own
    if (others > 0) state.calls = withCalls(state.calls, now(), others)
  }

  function pause(state: CallState, why: Pick<Pause, 'reason' | 'isOfKey'>, ms: number): void {
    const { reason, isOfKey } = why
    const since = state.pause?.reason === reason ? state.pause.since : now()
    const until = Math.max(state.pause?.until ?? 0, now() + ms)
    state.pause = { reason, isOfKey, since, until }
  }

  function resume(call: CallName): void {
    const state = states[call]
    const isOutageOver = state.pause?.reason === 'outage'
    state.failures = 0
    if (isUntilAnswer(state.pause) || pausedUntil(state.pause) <= now()) state.pause = undefined
    for (const other of all) {
      if (other.pause?.isOfKey) other.pause = undefined
      // The other calls may now probe at once.
      if (isOutageOver && other.pause?.reason === 'outage') other.pause.until = now()
    }
    if (isOutageOver) onRecovered(call)
  }

  function fail(state: CallState, isProbe: boolean): void {
    // A call that was under way when the pause began adds no new information.
    if (!isProbe && pausedUntil(state.pause) > now()) return
    state.failures += 1
    if (!isProbe && state.failures < failuresBeforePause) return
    pause(state, { reason: 'outage' }, outagePauseMs(state.failures, random()))
  }

  /** A refused key stops every call; a missing scope stops only some. */
  function refuse(state: CallState, isOfKey: boolean): void {
    const why = { reason: 'misconfigured' as const, isOfKey }
    for (const one of isOfKey ? all : [state]) pause(one, why, misconfiguredPauseMs)
  }

  function throttle(state: CallState, retryAfterSeconds = 1): void {
    const why = isUntilAnswer(state.pause) ? state.pause : { reason: 'rate-limited' as const }
    pause(state, why, Math.max(1, retryAfterSeconds) * 1_000)
  }

  return {
    capacityFor,

    /** Takes up to `wanted` permits, as many as the limits allow. */
    take(call: CallName, apiKey: string, wanted: number): Permit[] {
      const { free, isProbe } = capacityFor(call, apiKey)
      const count = Math.min(wanted, free)
      const state = states[call]
      const at = now()
      state.calls = withCalls(state.calls, at, count)
      if (isProbe && state.pause && count > 0) state.pause.probeUntil = at + longestProbeMs
      return Array.from({ length: count }, () => ({ call, apiKey, at, isProbe }))
    },

    /** Call it right before the call. False when calls were paused meanwhile: then do not call. */
    begin({ call, at, isProbe }: Permit): boolean {
      const state = states[call]
      if (!isProbe && pausedUntil(state.pause) > now()) return false
      // The limits count a call from the moment it is made.
      const place = state.calls.indexOf(at)
      const others = state.calls.filter((_, index) => index !== place)
      state.calls = withCalls(others, now(), 1)
      return true
    },

    /** Takes back the permit of a call that was not made. After a probe, another may go at once. */
    unused({ call, isProbe }: Permit): void {
      const { pause: probed } = states[call]
      if (isProbe && probed) probed.probeUntil = undefined
    },

    /** Learns from a call what it shows of the limits and of the platform's state. */
    report(permit: Permit, outcomes: readonly Outcome[], rate: RateReading = {}): void {
      const { call, apiKey, isProbe } = permit
      if (markOfKey(apiKey) !== key) return
      const state = states[call]
      const before = state.pause?.reason
      learn(call, rate)
      const refusal = outcomes.find((outcome) => outcome.is === 'misconfigured')
      if (refusal) refuse(state, refusal.error.status === 401)
      else if (outcomes.some(({ is }) => is !== 'later')) resume(call)
      else if (outcomes.some((o) => o.is === 'later' && o.costsAttempt)) fail(state, isProbe)
      else throttle(state, rate.retryAfterSeconds)
      const { pause: after, failures } = state
      if (after?.reason !== before) onPause()
      if (after === undefined || (before !== undefined && !isProbe)) return
      const fields = { call, reason: after.reason, until: new Date(after.until), failures }
      log.warn(fields, 'Calls to the marketing platform are paused')
    },

    /** The call logs for the process that takes over. */
    logs: (): CallLogs => ({
      key,
      calls: Object.fromEntries(
        Object.entries(states).map(([call, state]) => [call, logOf(state)]),
      ),
    }),
  }
}

export type CallBudget = ReturnType<typeof createCallBudget>

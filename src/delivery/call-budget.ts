import type { CallName, Outcome, PlatformBounds, RateReading } from '../marketing/platform.js'
import type { Log } from '../store/log.js'
import { logOf, stateOf, type CallLogs, type CallState, type Pause } from './call-log.js'
import {
  isUntilAnswer,
  markOfKey,
  misconfiguredPauseMs,
  outagePauseMs,
  pausedUntil,
} from './call-pause.js'
import { roomInWindows, withCalls } from './call-windows.js'
import type { Clock } from './clock.js'
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

/** Longer than the first call after a pause may take. */
const longestProbeMs = 7_000

/** The first failure may be a blip: its sends wait, the others go on. */
const failuresBeforePause = 2

/** The calls that may be made: what the documents, the answers' headers and the pauses leave. */
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

  /** What made another key pause, such as its account, is not this one's own. */
  function useKey(mark: string): void {
    if (mark === key) return
    key = mark
    for (const state of all) Object.assign(state, { failures: 0, pause: undefined })
  }

  function roomFor(call: CallName, apiKey: string, at = now()): CallRoom {
    useKey(markOfKey(apiKey))
    const { calls, pause } = states[call]
    const limits = limitsOf(call)
    const { free, nextAt } = roomInWindows(calls, limits, at)
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

  /** The platform's own limit of a minute, and the calls of others who use the same key. */
  function learn(call: CallName, { limit, remaining, resetSeconds = 0 }: RateReading): void {
    const state = states[call]
    if (limit) state.steadyLimit = limit
    if (remaining === undefined) return
    // The window's start is told to the second: ours are counted from a little before, as a call of
    // ours taken for another's would be counted twice, over and over.
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
      // It need not wait to look whether the platform is back.
      if (isOutageOver && other.pause?.reason === 'outage') other.pause.until = now()
    }
    if (isOutageOver) onRecovered(call)
  }

  function fail(state: CallState, isProbe: boolean): void {
    // What was under way when the pause began says nothing new.
    if (!isProbe && pausedUntil(state.pause) > now()) return
    state.failures += 1
    if (!isProbe && state.failures < failuresBeforePause) return
    pause(state, { reason: 'outage' }, outagePauseMs(state.failures, random()))
  }

  /** A key is refused by every call; a scope is missing for some. */
  function refuse(state: CallState, isOfKey: boolean): void {
    const why = { reason: 'misconfigured' as const, isOfKey }
    for (const one of isOfKey ? all : [state]) pause(one, why, misconfiguredPauseMs)
  }

  function throttle(state: CallState, retryAfterSeconds = 1): void {
    const why = isUntilAnswer(state.pause) ? state.pause : { reason: 'rate-limited' as const }
    pause(state, why, Math.max(1, retryAfterSeconds) * 1_000)
  }

  return {
    roomFor,

    /** As many permits as there are. */
    take(call: CallName, apiKey: string, wanted: number): Permit[] {
      const { free, isProbe } = roomFor(call, apiKey)
      const count = Math.min(wanted, free)
      const state = states[call]
      const at = now()
      state.calls = withCalls(state.calls, at, count)
      if (isProbe && state.pause && count > 0) state.pause.probeUntil = at + longestProbeMs
      return Array.from({ length: count }, () => ({ call, apiKey, at, isProbe }))
    },

    /** Right before the call. False when calls were paused meanwhile: then it is not made. */
    begin({ call, at, isProbe }: Permit): boolean {
      const state = states[call]
      if (!isProbe && pausedUntil(state.pause) > now()) return false
      // It counts from when it is made.
      const place = state.calls.indexOf(at)
      const others = state.calls.filter((_, index) => index !== place)
      state.calls = withCalls(others, now(), 1)
      return true
    },

    /** For a call that was not made: were it to end a pause, another one may do so at once. */
    unused({ call, isProbe }: Permit): void {
      const { pause: probed } = states[call]
      if (isProbe && probed) probed.probeUntil = undefined
    },

    /** What a call said of the limits and of the platform, whatever it said of its items. */
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

    /** For whoever takes over. */
    logs: (): CallLogs => ({
      key,
      calls: Object.fromEntries(
        Object.entries(states).map(([call, state]) => [call, logOf(state)]),
      ),
    }),
  }
}

export type CallBudget = ReturnType<typeof createCallBudget>

import type { Outcome, KlaviyoError, RateReading } from '../klaviyo/call-answer.js'
import { callLimits, type CallLimits, type CallName } from '../klaviyo/limits.js'
import {
  logOf,
  stateOf,
  type CallLogs,
  type CallState,
  type Pause,
  isUntilAnswer,
  pausedUntil,
} from './call-log.js'
import { revisionRetired } from '../klaviyo/ask-api.js'
import { markOfKey } from '../klaviyo/mark-of-key.js'
import type { Shop } from '../../core/shop.js'
import type { CallCapacity } from './next-call.js'

/**
 * Klaviyo counts calls in fixed seconds and minutes, whose start nobody knows. If the last second
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

/** How many calls of a long queue may go at once: one that hangs must not stop the others. */
const callsAhead = 3

/**
 * When the next call of a long queue may start. One that started late is made up for, so that the pace
 * loses no call of a minute (the generic cell rate algorithm).
 */
const evenAfter = (calls: readonly number[], paceMs: number): number =>
  calls.reduce((next, at) => Math.max(next, at) + paceMs, 0) - callsAhead * paceMs

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

interface BudgetSetup {
  /** The call logs of the process that delivered before. */
  logs: CallLogs
  /** Those that Klaviyo documents, if absent. */
  limits?: Readonly<Record<CallName, CallLimits>>
  /** Called when a call succeeds again after an outage. */
  onRecovered: (call: CallName) => void
  /** Called when a pause begins or ends, so that the change is stored for other processes. */
  onPause: () => void
}

/** Longer than the first call after a pause can take. */
const longestProbeMs = 7_000

/** After a single failure only its own sends wait, since it may be a blip. */
const failuresBeforePause = 2

/** The shortest and the longest wait between two probes with a key that Klaviyo refuses. */
const firstRefusedPauseMs = 2_000
const longestRefusedPauseMs = 15_000

/** As long as the key has been refused so far, so that the waits double. A probe costs one small call. */
const refusedPauseMs = (refusedForMs: number, random: number): number =>
  Math.floor(
    Math.max(firstRefusedPauseMs, Math.min(longestRefusedPauseMs, refusedForMs)) *
      (0.8 + random / 5),
  )

/** The shortest and the longest wait after a 429 that does not say how long: Klaviyo counts by the minute. */
const firstThrottleMs = 1_000
const longestThrottleMs = 60_000

/** The longest wait between two probes during an outage. */
const longestOutagePauseMs = 50_000

/**
 * Twice as long after each failure. Up to a fifth is taken off at random, so that several shops do not
 * return at the same moment.
 */
const outagePauseMs = (failures: number, random: number): number =>
  Math.floor(Math.min(longestOutagePauseMs, 250 * 2 ** failures) * (0.8 + random / 5))

/** Decides how many calls may be made, from documented limits, answers' headers and pauses. */
export function createCallBudget(
  { waits, effects: { random }, log }: Pick<Shop, 'waits' | 'effects' | 'log'>,
  { logs, limits = callLimits, onRecovered, onPause }: BudgetSetup,
) {
  let { key } = logs
  const states = Object.fromEntries(
    Object.keys(limits).map((call) => [call, stateOf(logs.calls?.[call as CallName])]),
  ) as Record<CallName, CallState>
  const all = Object.values(states)
  const now = () => waits.now().getTime()
  /** What the documented limits of bulk calls of events let through. */
  const { steady, items } = limits.events
  const longQueueItemMs = 60_000 / (steady * items)

  /**
   * Milliseconds between the calls of a long queue: so many that no more items leave than in bulk calls of
   * events. A burst of all calls that the limits allow would leave no time for shoppers.
   */
  const paceOf = ({ steady, items }: CallLimits): number =>
    Math.max(60_000 / steady, items * longQueueItemMs)

  const limitsOf = (call: CallName) => ({
    ...limits[call],
    steady: states[call].steadyLimit ?? limits[call].steady,
  })

  /** Pauses and learnt limits may be those of the account of a key, so a new key begins without them. */
  function useKey(mark: string): void {
    if (mark === key) return
    key = mark
    for (const state of all) {
      Object.assign(state, { failures: 0, pause: undefined, steadyLimit: undefined })
    }
  }

  function capacityFor(call: CallName, apiKey: string, at = now()): CallCapacity {
    useKey(markOfKey(apiKey))
    const { calls, pause } = states[call]
    const own = limitsOf(call)
    const { free, nextAt } = capacityInWindows(calls, own, at)
    const paceMs = paceOf(own)
    const until = pausedUntil(pause)
    const isProbe = isUntilAnswer(pause) && until <= at
    return {
      free: until > at ? 0 : Math.min(free, isProbe ? 1 : free),
      nextAt: Math.max(nextAt, until),
      lastAt: calls.at(-1) ?? 0,
      recent: calls.filter((madeAt) => madeAt > at - 1_000).length,
      paceMs,
      leastPaceMs: 60_000 / own.steady,
      evenAt: evenAfter(calls, paceMs),
      isProbe,
      probeAt: isUntilAnswer(pause) ? until : undefined,
    }
  }

  /** Adopts Klaviyo's limit for a minute, and counts what others call with the same key. */
  function learn(call: CallName, { limit, remaining, resetSeconds }: RateReading): void {
    const state = states[call]
    if (limit) state.steadyLimit = limit
    if (remaining === undefined) return
    // Klaviyo gives the window's start in whole seconds. Our calls are counted from slightly
    // earlier: otherwise a call of ours that is taken for another's would be counted twice, again and
    // again.
    const sinceStart = (60 - (resetSeconds ?? 0)) * 1_000
    const own = state.calls.filter((at) => at > now() - sinceStart - 1_200).length
    const others = limitsOf(call).steady - remaining - own
    // The calls of others count until the window of Klaviyo ends, or for a minute when Klaviyo
    // does not say when that is.
    const othersAt = resetSeconds === undefined ? now() : now() - Math.max(0, sinceStart - 1_000)
    if (others > 0) state.calls = withCalls(state.calls, othersAt, others)
  }

  function pause(state: CallState, why: Pick<Pause, 'reason' | 'isOfKey'>, ms: number): void {
    const { reason, isOfKey } = why
    const since = state.pause?.reason === reason ? state.pause.since : now()
    const until = Math.max(state.pause?.until ?? 0, now() + ms)
    state.pause = { reason, isOfKey, since, at: now(), until }
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

  function fail(state: CallState, isProbe: boolean, afterSeconds = 0): void {
    // A call that was under way when the pause began says nothing new.
    if (!isProbe && pausedUntil(state.pause) > now()) return
    state.failures += 1
    // While other calls are in an outage, it is no blip.
    const mayBeBlip = !isProbe && all.every(({ pause: other }) => other?.reason !== 'outage')
    if (mayBeBlip && state.failures < failuresBeforePause) return
    const ms = Math.max(outagePauseMs(state.failures, random()), afterSeconds * 1_000)
    pause(state, { reason: 'outage' }, ms)
  }

  /** A refused key or a retired revision stops every call; a missing scope stops only some. */
  function refuse(state: CallState, { status, code }: KlaviyoError): void {
    const reason: Pause['reason'] = code === revisionRetired ? 'retired' : 'misconfigured'
    const isOfKey = status === 401 || reason === 'retired'
    const why = { reason, isOfKey }
    const { pause: earlier } = state
    const since = earlier?.reason === why.reason ? earlier.since : now()
    const ms = refusedPauseMs(now() - since, random())
    for (const one of isOfKey ? all : [state]) pause(one, why, ms)
  }

  /** One call tries a refused key for all of them. */
  function setProbe(state: CallState, probeUntil: number | undefined): void {
    const { pause: probed } = state
    for (const one of probed?.isOfKey ? all.filter((other) => other.pause?.isOfKey) : [state]) {
      if (one.pause) one.pause.probeUntil = probeUntil
    }
  }

  /** Without a `Retry-After`: for a second, then each time for twice as long until a call is answered. */
  function throttle(state: CallState, retryAfterSeconds?: number): void {
    const { pause: earlier } = state
    if (retryAfterSeconds === undefined && pausedUntil(earlier) > now()) return
    const why = isUntilAnswer(earlier) ? earlier : { reason: 'rate-limited' as const }
    const lastMs = earlier?.reason === 'rate-limited' ? earlier.until - (earlier.at ?? now()) : 0
    const ms =
      retryAfterSeconds === undefined
        ? Math.min(longestThrottleMs, 2 * lastMs)
        : retryAfterSeconds * 1_000
    pause(state, why, Math.max(firstThrottleMs, ms))
  }

  return {
    capacityFor,

    useKey,

    key: () => key,

    /** Takes up to `wanted` permits, as many as the limits allow. */
    take(call: CallName, apiKey: string, wanted: number): Permit[] {
      const { free, isProbe } = capacityFor(call, apiKey)
      const count = Math.min(wanted, free)
      const state = states[call]
      const at = now()
      state.calls = withCalls(state.calls, at, count)
      if (isProbe && count > 0) setProbe(state, at + longestProbeMs)
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
      if (isProbe) setProbe(states[call], undefined)
    },

    /** Learns from a call what it shows of the limits and of Klaviyo's state. */
    report(permit: Permit, outcomes: readonly Outcome[], rate: RateReading = {}): void {
      const { call, apiKey, isProbe } = permit
      if (markOfKey(apiKey) !== key) return
      const state = states[call]
      const before = state.pause?.reason
      learn(call, rate)
      const refusal = outcomes.find((outcome) => outcome.is === 'misconfigured')
      const failure = outcomes.find((outcome) => outcome.is === 'later' && outcome.costsAttempt)
      if (refusal) refuse(state, refusal.error)
      else if (outcomes.some(({ is }) => is !== 'later')) resume(call)
      else if (failure?.is === 'later') fail(state, isProbe, failure.afterSeconds)
      else throttle(state, rate.retryAfterSeconds)
      const { pause: after, failures } = state
      if (after?.reason !== before) onPause()
      if (after === undefined || (before !== undefined && !isProbe)) return
      const fields = { call, reason: after.reason, until: new Date(after.until), failures }
      log.warn(fields, 'Calls to Klaviyo are paused')
    },

    /** The call logs for the process that takes over. */
    logs: (): CallLogs => ({
      at: now(),
      key,
      calls: Object.fromEntries(
        Object.entries(states).map(([call, state]) => [call, logOf(state)]),
      ),
    }),
  }
}

export type CallBudget = ReturnType<typeof createCallBudget>

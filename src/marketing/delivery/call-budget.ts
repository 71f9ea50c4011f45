import type { Shop } from '../../core/shop.js'
import type { Outcome, RateLimit } from '../klaviyo/call-answer.js'
import { callLimits, type CallLimits, type CallName } from '../klaviyo/limits.js'
import { markOfKey } from '../klaviyo/ask-api.js'
import type { ConnectionTest } from '../klaviyo/check-account.js'
import { callScopes } from '../klaviyo/key-scopes.js'
import {
  isUntilAnswer,
  logOf,
  pausedUntil,
  stateOf,
  type CallLogs,
  type CallState,
  createCallPauses,
} from './call-log.js'
import type { CallCapacity } from './next-call.js'

/** The right to make one call. */
export interface Permit {
  call: CallName
  apiKey: string
  /** Milliseconds since 1970. */
  at: number
  /** Whether it is the first call after a pause. Such a call has one item. */
  isProbe: boolean
}

export type CallBudget = ReturnType<typeof createCallBudget>

/** Decides how many calls may be made, from documented limits, answers' headers and pauses. */
export function createCallBudget(
  shop: Pick<Shop, 'waits' | 'effects' | 'log'>,
  {
    logs,
    limits = callLimits,
    onRecovered,
    onPause,
  }: {
    /** The call logs of the process that delivered before. */
    logs: CallLogs
    /** Those that Klaviyo documents, if absent. */
    limits?: Readonly<Record<CallName, CallLimits>>
    /** Called when a call succeeds again after an outage, has got its scope, or may have it by another key. */
    onRecovered: (call: CallName) => void
    /** Called when a pause begins or ends, so that the change is stored for other processes. */
    onPause: () => void
  },
) {
  const { waits, log } = shop
  let { key, keySince, testedAt } = logs
  const names = Object.keys(limits) as CallName[]
  const states = Object.fromEntries(
    names.map((call) => [call, stateOf(logs.calls?.[call])]),
  ) as Record<CallName, CallState>
  const pauses = createCallPauses(shop, states, onRecovered)
  const now = () => waits.now().getTime()

  const limitsOf = (call: CallName): CallLimits => ({
    ...limits[call],
    steady: states[call].steadyLimit ?? limits[call].steady,
  })

  /** Milliseconds between the calls of a long queue: a burst of all allowed calls would leave no time for shoppers. */
  function paceOf({ steady, items }: CallLimits): number {
    const msOfItem = 60_000 / (limits.events.steady * limits.events.items)
    return Math.max(60_000 / steady, items * msOfItem)
  }

  /** Pauses and learnt limits may be those of the account of a key, so a new key begins without them. */
  function useKey(mark: string): void {
    if (keySince === null) keySince = now()
    if (mark === key) return
    key = mark
    testedAt = undefined
    for (const call of names) {
      const isScopeLacking = states[call].pause?.reason === 'scope'
      Object.assign(states[call], { failures: 0, pause: undefined, steadyLimit: undefined })
      if (isScopeLacking) onRecovered(call)
    }
  }

  function capacityFor(call: CallName, apiKey: string, at = now()): CallCapacity {
    useKey(markOfKey(apiKey))
    const { calls, pause } = states[call]
    const callLimit = limitsOf(call)
    const { free, nextAt } = capacityInWindows(calls, callLimit, at)
    const paceMs = paceOf(callLimit)
    const until = pausedUntil(pause)
    const isProbe = isUntilAnswer(pause) && until <= at
    return {
      free: until > at ? 0 : Math.min(free, isProbe ? 1 : free),
      nextAt: Math.max(nextAt, until),
      lastAt: calls.at(-1) ?? 0,
      recent: calls.filter((madeAt) => madeAt > at - 1_000).length,
      paceMs,
      leastPaceMs: 60_000 / callLimit.steady,
      evenAt: evenAfter(calls, paceMs),
      isProbe,
      probeAt: isUntilAnswer(pause) ? until : undefined,
    }
  }

  /** Adopts Klaviyo's limit for a minute, and counts what others call with the same key. */
  function learn(call: CallName, { limit, remaining, resetSeconds }: RateLimit): void {
    const state = states[call]
    if (limit) state.steadyLimit = limit
    if (remaining === undefined) return
    const windowAgeMs = (60 - (resetSeconds ?? 0)) * 1_000
    // Klaviyo says in whole seconds when its window ends. So our calls are counted from slightly earlier:
    // one that is taken for another's would be counted twice, again and again.
    const ours = state.calls.filter((at) => at > now() - windowAgeMs - 1_200).length
    const others = limitsOf(call).steady - remaining - ours
    // They count until the window ends, or for a minute when Klaviyo does not say when that is.
    const othersAgeMs = resetSeconds === undefined ? 0 : Math.max(0, windowAgeMs - 1_000)
    if (others > 0) state.calls = withCalls(state.calls, now() - othersAgeMs, others)
  }

  return {
    capacityFor,

    useKey,

    key: () => key,

    /** Learns from a test of the key, once, which calls have their scopes. */
    heed({ at, missingScopes, refusal }: ConnectionTest): void {
      if (at.getTime() === testedAt) return
      testedAt = at.getTime()
      if (refusal !== undefined) return
      for (const call of names) {
        const { pause } = states[call]
        const scopes = callScopes[call].filter((scope) => missingScopes.includes(scope))
        if (scopes.length > 0) pauses.lackScopes(call, scopes)
        else if (pause?.reason === 'scope' && (pause.at ?? 0) < testedAt) pauses.resume(call)
      }
      onPause()
    },

    /** The calls of which the key lacks a scope. */
    lackingScope: (): CallName[] => names.filter((call) => states[call].pause?.reason === 'scope'),

    /** Whether the key lacks a scope of this call, and it is not to be asked yet whether it has got it. */
    isOff: (call: CallName): boolean =>
      states[call].pause?.reason === 'scope' && pausedUntil(states[call].pause) > now(),

    /** There is no key now. */
    noKey: (): void => void (keySince = null),

    /** Takes up to `wanted` permits, as many as the limits allow. */
    take(call: CallName, apiKey: string, wanted: number): Permit[] {
      const { free, isProbe } = capacityFor(call, apiKey)
      const count = Math.min(wanted, free)
      const state = states[call]
      const at = now()
      state.calls = withCalls(state.calls, at, count)
      if (isProbe && count > 0) pauses.beginProbe(call)
      return Array.from({ length: count }, () => ({ call, apiKey, at, isProbe }))
    },

    /** Call it right before the call. False when calls were paused meanwhile: then do not call. */
    begin({ call, at, isProbe }: Permit): boolean {
      const state = states[call]
      if (!isProbe && pausedUntil(state.pause) > now()) return false
      // The limits count a call from the moment it is made, not from the moment of its permit.
      const place = state.calls.indexOf(at)
      const others = state.calls.filter((_, index) => index !== place)
      state.calls = withCalls(others, now(), 1)
      return true
    },

    /** Takes back the permit of a call that was not made. */
    unused({ call, isProbe }: Permit): void {
      if (isProbe) pauses.cancelProbe(call)
    },

    /** Learns from a call what it shows of the limits and of Klaviyo's state. */
    report(permit: Permit, outcomes: readonly Outcome[], rate: RateLimit = {}): void {
      const { call, apiKey, isProbe } = permit
      if (markOfKey(apiKey) !== key) return
      const state = states[call]
      const before = state.pause?.reason
      learn(call, rate)
      const refusal = outcomes.find((outcome) => outcome.is === 'misconfigured')
      const failure = outcomes.find((outcome) => outcome.is === 'later' && outcome.costsAttempt)
      if (refusal) pauses.refuse(call, refusal.error)
      else if (outcomes.some(({ is }) => is !== 'later')) pauses.resume(call)
      else if (failure?.is === 'later') pauses.fail(call, isProbe, failure.afterSeconds)
      else pauses.throttle(call, rate.retryAfterSeconds)
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
      keySince,
      testedAt,
      calls: Object.fromEntries(
        Object.entries(states).map(([call, state]) => [call, logOf(state)]),
      ),
    }),
  }
}

/** The last second and minute, as nobody knows when Klaviyo's begin; wider, as calls do not travel equally fast. */
const burstWindowMs = 1_000 + 100
const steadyWindowMs = 60_000 + 200

/** How many calls may start now, given the calls already made, and when the next one may start. */
function capacityInWindows(
  calls: readonly number[],
  { burst, steady }: CallLimits,
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

/** When the limits of a call leave room, as far as the calls are noted. */
export function roomAt({ calls = {} }: CallLogs, call: CallName, now: number): number {
  const { calls: made, steadyLimit: steady = callLimits[call].steady } = stateOf(calls[call])
  return capacityInWindows(made, { ...callLimits[call], steady }, now).nextAt
}

/** How many calls of a long queue may go at once: one that hangs must not stop the others. */
const callsAhead = 3

/** When the next call of a long queue may start: a late one is made up for (the generic cell rate algorithm). */
const evenAfter = (calls: readonly number[], paceMs: number): number =>
  calls.reduce((next, at) => Math.max(next, at) + paceMs, 0) - callsAhead * paceMs

/** Adds `count` calls made at a moment, and drops the calls that are older than both windows. */
function withCalls(calls: readonly number[], at: number, count: number): number[] {
  const place = placeAfter(calls, at)
  const earlier = calls.slice(placeAfter(calls, at - steadyWindowMs), place)
  return [...earlier, ...Array<number>(count).fill(at), ...calls.slice(place)]
}

const placeAfter = (calls: readonly number[], moment: number): number =>
  calls.findLastIndex((at) => at <= moment) + 1

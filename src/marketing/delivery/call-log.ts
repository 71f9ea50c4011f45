import type { CallName } from '../klaviyo/limits.js'
import { callScopes, type Scope } from '../klaviyo/key-scopes.js'
import type { LeaseNotes } from '../../core/workers/lease.js'
import { markOfKey, revisionRetired } from '../klaviyo/ask-api.js'
import type { Shop } from '../../core/shop.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'

/** `retired`: Klaviyo no longer serves the revision of its API that we speak. `scope`: the key lacks a scope of the call. */
export type PauseReason = 'outage' | 'misconfigured' | 'scope' | 'retired' | 'rate-limited'

export interface Pause {
  reason: PauseReason
  /** In milliseconds since 1970, like all moments here. */
  since: number
  until: number
  /** When the last answer came that caused it. */
  at?: number | undefined
  /** Whether Klaviyo refuses the key itself or the revision, and therefore every call. */
  isOfKey?: boolean | undefined
  /** Until this moment other calls wait for the answer to the probe. */
  probeUntil?: number | undefined
  /** The scopes that the key lacks, as far as Klaviyo names them, or else all of the call. */
  scopes?: readonly Scope[] | undefined
}

export interface CallState {
  /** When calls of the last minute were made, in ascending order. */
  calls: number[]
  /** Klaviyo's limit for a minute, if an answer gave one. */
  steadyLimit?: number
  /** How many calls in a row failed as a whole. */
  failures: number
  pause?: Pause | undefined
}

/** The stored state. Calls count in the latest second in which they can have begun. */
interface CallLog extends Partial<Omit<CallState, 'calls'>> {
  calls: [second: number, count: number][]
}

/** The call logs that the next deliverer receives, as the notes of the lease. */
export interface CallLogs extends LeaseNotes {
  /** The mark of the key that the pauses belong to. */
  key?: string | undefined
  /** Since when there is a key; null while there is none, and undefined where nobody has seen that. */
  keySince?: number | null | undefined
  /** The last test of the key that was heeded. */
  testedAt?: number | undefined
  calls?: Partial<Record<CallName, CallLog>>
}

/** A call begins at most this many milliseconds after its permit was written. */
const beginMs = 250

export function logOf(state: CallState): CallLog {
  const seconds = new Map<number, number>()
  for (const at of state.calls) {
    const second = Math.ceil((at + beginMs) / 1_000) * 1_000
    seconds.set(second, (seconds.get(second) ?? 0) + 1)
  }
  return { ...state, calls: [...seconds] }
}

/** The same second results when it is stored again, as the delivery may be handed on many times in a second. */
export const stateOf = ({ calls, ...log }: CallLog = { calls: [] }): CallState => ({
  failures: 0,
  ...log,
  calls: calls.flatMap(([second, count]) => Array<number>(count).fill(second - beginMs)),
})

/** How far the clock that wrote these is ahead of another. */
export const aheadOf = (now: number, { at = 0 }: CallLogs): number => Math.max(0, at - now)

/** The call logs by a clock that shows `now`. The clock that wrote them may be ahead of it. */
export function logsAt(now: number, logs: CallLogs): CallLogs {
  const aheadMs = aheadOf(now, logs)
  if (aheadMs === 0) return logs
  const earlier = (at: number | undefined) => (at === undefined ? undefined : at - aheadMs)
  const moved = Object.entries(logs.calls ?? {}).map(([name, { calls, pause, ...log }]) => [
    name,
    {
      ...log,
      calls: calls.map(([second, count]) => [second - aheadMs, count]),
      ...(pause && {
        pause: {
          ...pause,
          since: pause.since - aheadMs,
          at: earlier(pause.at),
          until: pause.until - aheadMs,
          probeUntil: earlier(pause.probeUntil),
        },
      }),
    },
  ])
  return {
    ...logs,
    at: earlier(logs.at),
    keySince: logs.keySince && earlier(logs.keySince),
    calls: Object.fromEntries(moved) as NonNullable<CallLogs['calls']>,
  }
}

export const pausedUntil = (pause: Pause | undefined): number =>
  Math.max(pause?.until ?? 0, pause?.probeUntil ?? 0)

/** Whether the pause lasts until a call is answered. */
export const isUntilAnswer = (pause: Pause | undefined): pause is Pause =>
  pause !== undefined && pause.reason !== 'rate-limited'

/** The pauses that apply to this key. */
export function pausesOf({ key, calls = {} }: CallLogs, apiKey: string, now: number) {
  if (key !== markOfKey(apiKey)) return []
  return (Object.entries(calls) as [CallName, CallLog][]).flatMap(([call, { pause }]) => {
    if (pause === undefined || (pause.until <= now && !isUntilAnswer(pause))) return []
    const { reason, since, until, at = since, isOfKey = false, scopes = [] } = pause
    const moments = { since: new Date(since), at: new Date(at), until: new Date(until) }
    return { call, reason, isOfKey, scopes, ...moments }
  })
}

/** The calls of which the key lacks a scope. */
export const callsLackingScope = (
  pauses: readonly { call: CallName; reason: PauseReason }[],
): CallName[] => pauses.filter(({ reason }) => reason === 'scope').map(({ call }) => call)

/** The same, of the logs of the process that delivers. */
export const lackingScopeIn = ({ calls = {} }: CallLogs): CallName[] =>
  (Object.entries(calls) as [CallName, CallLog][])
    .filter(([, { pause }]) => pause?.reason === 'scope')
    .map(([call]) => call)

/** Longer than the first call after a pause can take. */
const longestProbeMs = 7_000

/** After a single failure only its own sends wait, since it may be a blip. */
const failuresBeforePause = 2

/** The longest wait between two probes during an outage. */
const longestOutagePauseMs = 50_000

/** The shortest and the longest wait between two probes with a key that Klaviyo refuses. */
const firstRefusedPauseMs = 2_000
const longestRefusedPauseMs = 15_000

/** Klaviyo's code of a 403 to a key that lacks a scope. */
const scopeMissing = 'permission_denied'

/** The wait before one send shows whether the key has got the scope: Klaviyo changes no scopes of a key that is made. */
const scopePauseMs = 60 * 60_000

/** The shortest and the longest wait after a 429 that does not say how long: Klaviyo counts by the minute. */
const firstThrottleMs = 1_000
const longestThrottleMs = 60_000

/**
 * Pauses calls that fail, and lets them go on.
 *
 * @param onRecovered Called when a call succeeds again after an outage, or has got its scope.
 */
export function createCallPauses(
  { waits, effects: { random } }: Pick<Shop, 'waits' | 'effects'>,
  states: Readonly<Record<CallName, CallState>>,
  onRecovered: (call: CallName) => void,
) {
  const all = Object.values(states)
  const now = () => waits.now().getTime()

  function pause(
    state: CallState,
    { reason, isOfKey, scopes }: Pick<Pause, 'reason' | 'isOfKey' | 'scopes'>,
    ms: number,
  ): void {
    const since = state.pause?.reason === reason ? state.pause.since : now()
    const until = Math.max(state.pause?.until ?? 0, now() + ms)
    state.pause = { reason, isOfKey, since, at: now(), until, scopes }
  }

  /** Up to a fifth is taken off at random, so that several shops do not return at the same moment. */
  const spread = (ms: number): number => Math.floor(ms * (0.8 + random() / 5))

  /** Other calls wait for the answer to a probe; when a key is refused, the calls of every kind. */
  function setProbe(call: CallName, probeUntil: number | undefined): void {
    const state = states[call]
    const paused = state.pause?.isOfKey ? all.filter((other) => other.pause?.isOfKey) : [state]
    for (const one of paused) if (one.pause) one.pause.probeUntil = probeUntil
  }

  const lackScopes = (call: CallName, scopes: readonly Scope[]): void =>
    pause(states[call], { reason: 'scope', scopes }, spread(scopePauseMs))

  return {
    beginProbe: (call: CallName): void => setProbe(call, now() + longestProbeMs),

    /** After a probe that was not made, another may go at once. */
    cancelProbe: (call: CallName): void => setProbe(call, undefined),

    /** Klaviyo has answered. */
    resume(call: CallName): void {
      const state = states[call]
      const isOutageOver = state.pause?.reason === 'outage'
      const isWaitOver = isOutageOver || state.pause?.reason === 'scope'
      state.failures = 0
      if (isUntilAnswer(state.pause) || pausedUntil(state.pause) <= now()) state.pause = undefined
      for (const other of all) {
        if (other.pause?.isOfKey) other.pause = undefined
        // The other calls may now probe at once.
        if (isOutageOver && other.pause?.reason === 'outage') other.pause.until = now()
      }
      if (isWaitOver) onRecovered(call)
    },

    /** The call had no usable answer. Each failure in a row doubles the pause. */
    fail(call: CallName, isProbe: boolean, afterSeconds = 0): void {
      const state = states[call]
      // A call that was under way when the pause began says nothing new.
      if (!isProbe && pausedUntil(state.pause) > now()) return
      state.failures += 1
      // While other calls are in an outage, it is no blip.
      const mayBeBlip = !isProbe && all.every((other) => other.pause?.reason !== 'outage')
      if (mayBeBlip && state.failures < failuresBeforePause) return
      const ms = spread(Math.min(longestOutagePauseMs, 250 * 2 ** state.failures))
      // An outage does not say whether the key has got the scope.
      const why = state.pause?.reason === 'scope' ? state.pause : { reason: 'outage' as const }
      pause(state, why, Math.max(ms, afterSeconds * 1_000))
    },

    lackScopes,

    /** A refused key or a retired revision stops every call; a missing scope stops only those that need it. */
    refuse(call: CallName, { status, code, detail }: KlaviyoError): void {
      if (status === 403 && code === scopeMissing) {
        const scopes = callScopes[call]
        const named = scopes.filter((scope) => detail.includes(scope))
        return lackScopes(call, named.length === 0 ? scopes : named)
      }
      const state = states[call]
      const reason: Pause['reason'] = code === revisionRetired ? 'retired' : 'misconfigured'
      const isOfKey = status === 401 || reason === 'retired'
      const since = state.pause?.reason === reason ? state.pause.since : now()
      // As long as it has been refused so far, so that the pauses double. A probe costs one small call.
      const refusedForMs = Math.max(firstRefusedPauseMs, now() - since)
      const ms = spread(Math.min(longestRefusedPauseMs, refusedForMs))
      for (const one of isOfKey ? all : [state]) pause(one, { reason, isOfKey }, ms)
    },

    /** A 429. Without a `Retry-After` each pause is twice as long as the last, until a call is answered. */
    throttle(call: CallName, retryAfterSeconds?: number): void {
      const state = states[call]
      const { pause: earlier } = state
      if (retryAfterSeconds === undefined && pausedUntil(earlier) > now()) return
      const why = isUntilAnswer(earlier) ? earlier : { reason: 'rate-limited' as const }
      const lastMs = earlier?.reason === 'rate-limited' ? earlier.until - (earlier.at ?? now()) : 0
      const ms =
        retryAfterSeconds === undefined
          ? Math.min(longestThrottleMs, 2 * lastMs)
          : retryAfterSeconds * 1_000
      pause(state, why, Math.max(firstThrottleMs, ms))
    },
  }
}

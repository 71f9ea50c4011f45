import type { Shop } from '../../core/shop.js'
import { revisionRetired } from '../klaviyo/ask-api.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import type { CallName } from '../klaviyo/limits.js'
import { isUntilAnswer, pausedUntil, type CallState, type Pause } from './call-log.js'

/** Longer than the first call after a pause can take. */
const longestProbeMs = 7_000

/** After a single failure only its own sends wait, since it may be a blip. */
const failuresBeforePause = 2

/** The longest wait between two probes during an outage. */
const longestOutagePauseMs = 50_000

/** The shortest and the longest wait between two probes with a key that Klaviyo refuses. */
const firstRefusedPauseMs = 2_000
const longestRefusedPauseMs = 15_000

/** The shortest and the longest wait after a 429 that does not say how long: Klaviyo counts by the minute. */
const firstThrottleMs = 1_000
const longestThrottleMs = 60_000

/**
 * Pauses calls that fail, and lets them go on.
 *
 * @param onRecovered Called when a call succeeds again after an outage.
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
    { reason, isOfKey }: Pick<Pause, 'reason' | 'isOfKey'>,
    ms: number,
  ): void {
    const since = state.pause?.reason === reason ? state.pause.since : now()
    const until = Math.max(state.pause?.until ?? 0, now() + ms)
    state.pause = { reason, isOfKey, since, at: now(), until }
  }

  /** Up to a fifth is taken off at random, so that several shops do not return at the same moment. */
  const spread = (ms: number): number => Math.floor(ms * (0.8 + random() / 5))

  /** Other calls wait for the answer to a probe; when a key is refused, the calls of every kind. */
  function setProbe(call: CallName, probeUntil: number | undefined): void {
    const state = states[call]
    const paused = state.pause?.isOfKey ? all.filter((other) => other.pause?.isOfKey) : [state]
    for (const one of paused) if (one.pause) one.pause.probeUntil = probeUntil
  }

  return {
    beginProbe: (call: CallName): void => setProbe(call, now() + longestProbeMs),

    /** After a probe that was not made, another may go at once. */
    cancelProbe: (call: CallName): void => setProbe(call, undefined),

    /** Klaviyo has answered. */
    resume(call: CallName): void {
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
      pause(state, { reason: 'outage' }, Math.max(ms, afterSeconds * 1_000))
    },

    /** A refused key or a retired revision stops every call; a missing scope stops only some. */
    refuse(call: CallName, { status, code }: KlaviyoError): void {
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

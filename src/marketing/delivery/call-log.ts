import type { CallName } from '../klaviyo/limits.js'
import type { LeaseNotes } from '../../core/workers/lease.js'
import { markOfKey } from '../klaviyo/mark-of-key.js'

/** `retired`: Klaviyo no longer serves the revision of its API that we speak. */
export type PauseReason = 'outage' | 'misconfigured' | 'retired' | 'rate-limited'

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
    const { reason, since, until, at = since } = pause
    const moments = { since: new Date(since), at: new Date(at), until: new Date(until) }
    return { call, reason, ...moments }
  })
}

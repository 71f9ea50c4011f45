import type { CallName } from '../klaviyo/platform.js'
import { markOfKey } from '../klaviyo/mark-of-key.js'

export type PauseReason = 'outage' | 'misconfigured' | 'rate-limited'

export interface Pause {
  reason: PauseReason
  /** In milliseconds since 1970, like all moments here. */
  since: number
  until: number
  /** Whether the platform refuses the key itself, and therefore every call. */
  isOfKey?: boolean | undefined
  /** Until this moment other calls wait for the answer to the probe. */
  probeUntil?: number | undefined
}

export interface CallState {
  /** When calls of the last minute were made, in ascending order. */
  calls: number[]
  /** The platform's limit for a minute, if an answer gave one. */
  steadyLimit?: number
  /** How many calls in a row failed as a whole. */
  failures: number
  pause?: Pause | undefined
}

/** The stored state. Calls count in the latest second in which they can have begun. */
interface CallLog extends Partial<Omit<CallState, 'calls'>> {
  calls: [second: number, count: number][]
}

/** The call logs that the next deliverer receives. */
export interface CallLogs {
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

export const stateOf = ({ calls, ...log }: CallLog = { calls: [] }): CallState => ({
  failures: 0,
  ...log,
  calls: calls.flatMap(([second, count]) => Array<number>(count).fill(second)),
})

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
    const { reason, since, until } = pause
    return { call, reason, since: new Date(since), until: new Date(until) }
  })
}

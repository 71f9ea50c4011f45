import type { CallName } from '../marketing/platform.js'

/** Why a call is not made. */
export type PauseReason = 'outage' | 'misconfigured' | 'rate-limited'

export interface Pause {
  reason: PauseReason
  /** Milliseconds since 1970, as all moments here. */
  since: number
  until: number
  /** Whether the platform refuses the key itself, and with it every call. */
  isOfKey?: boolean | undefined
  /** Until then the others wait for what the first call after the pause says. */
  probeUntil?: number | undefined
}

/** What is known of one kind of call. */
export interface CallState {
  /** When it was made in the last minute, ascending. */
  calls: number[]
  /** The platform's own limit of a minute, where its answers told one. */
  steadyLimit?: number
  /** Calls in a row that failed as a whole. */
  failures: number
  pause?: Pause | undefined
}

/** The same as it is kept in the database: calls by the second in which they ended at the latest. */
export interface CallLog extends Partial<Omit<CallState, 'calls'>> {
  calls: [second: number, count: number][]
}

/** For whoever takes over. */
export interface CallLogs {
  /** The mark of the key that the pauses are of. */
  key?: string | undefined
  calls?: Partial<Record<CallName, CallLog>>
}

/** A call begins at most so long after its permit was written. */
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

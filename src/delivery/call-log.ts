import type { CallName } from '../marketing/platform.js'

/** What is known of one call's limits: when it was made, and what the platform said. */
export interface CallLog {
  /** Calls by the moment they were made: milliseconds since 1970, ascending, and how many. */
  calls: [at: number, count: number][]
  /** The platform's own steady limit, where its answers told another than documented. */
  steadyLimit?: number
  /** No calls before, milliseconds since 1970, and why (`PauseReason`). */
  pausedUntil?: number
  /** When the pause for that reason began, milliseconds since 1970. */
  pausedSince?: number
  pauseReason?: string
  /** Short mark of the key that was in use when the pause began: another key does not have it. */
  pausedKey?: string
  /** Whether it is a pause of all calls, as the platform does not take the key itself. */
  isKeyRefused?: true
  /** Calls in a row that failed as a whole; absent after one that did not. */
  failures?: number
}

/** Of every call that was made of late. */
export type CallLogs = Partial<Record<CallName, CallLog>>

import { createHash } from 'node:crypto'
import type { Outcome } from '../marketing/platform.js'
import type { CallLog } from './call-log.js'

/** Why a call is not made. */
export type PauseReason = 'outage' | 'misconfigured' | 'rate-limited'

/** What a call says of the platform, whatever it says of its items. */
export type Verdict = 'answered' | 'failed' | 'throttled' | 'misconfigured'

/** How long nothing is sent with a key that the platform does not take. */
export const misconfiguredPauseMs = 60_000

/** How long everybody waits for the first call after a pause: longer than that call may take. */
export const probeHoldMs = 7_000

/** The longest wait between two looks at whether the platform is back. */
const longestOutagePauseMs = 50_000
const throttledPauseMs = 1_000

/** The first failure may be a blip: its sends wait, the others go on. */
const failuresBeforePause = 2

/** Tells keys apart in the database, and gives none away. */
export const markOfKey = (apiKey: string): string =>
  createHash('sha256').update(apiKey).digest('hex').slice(0, 12)

/** The log as it is for a key: what made another key pause, such as its account, is not its own. */
export const logForKey = (log: CallLog, key: string): CallLog =>
  log.pausedKey === undefined || log.pausedKey === key ? log : resumed(log)

/** The log with its pause known as one of that key. */
export const pausedFor = (log: CallLog, key: string): CallLog =>
  log.pausedUntil === undefined || log.pausedKey === key ? log : { ...log, pausedKey: key }

export function verdictOf(outcomes: readonly Outcome[]): Verdict {
  if (outcomes.some(({ is }) => is === 'misconfigured')) return 'misconfigured'
  if (outcomes.length === 0 || outcomes.some(({ is }) => is !== 'later')) return 'answered'
  const hasFailed = outcomes.some((outcome) => outcome.is === 'later' && outcome.costsAttempt)
  return hasFailed ? 'failed' : 'throttled'
}

/** Whether the next call is the first one after a pause that only a success ends. */
export const isProbing = (log: CallLog, now: number): boolean =>
  isUntilSuccess(log) && (log.pausedUntil ?? 0) <= now

/** The log after a call: paused, with growing waits while the platform is down, or resumed. */
export function afterCall(
  log: CallLog,
  call: {
    verdict: Verdict
    isProbe: boolean
    isKeyRefused?: boolean
    now: number
    random: number
  },
): CallLog {
  const { verdict, isProbe, isKeyRefused, now } = call
  const isPaused = (log.pausedUntil ?? 0) > now
  switch (verdict) {
    case 'answered':
      return isUntilSuccess(log) || !isPaused ? resumed(log) : withoutFailures(log)
    case 'throttled':
      return isPaused && !isProbe
        ? log
        : paused(log, 'rate-limited', { now, for: throttledPauseMs })
    case 'misconfigured':
      return {
        ...paused(log, 'misconfigured', { now, for: misconfiguredPauseMs }),
        ...(isKeyRefused && { isKeyRefused }),
      }
    case 'failed':
      // Calls that were under way when the pause began say nothing new.
      return isPaused && !isProbe ? log : afterFailure(log, call)
  }
}

function afterFailure(
  log: CallLog,
  { isProbe, now, random }: { isProbe: boolean; now: number; random: number },
): CallLog {
  const failures = (log.failures ?? 0) + 1
  const counted = { ...log, failures }
  if (failures < failuresBeforePause && !isProbe) return counted
  return paused(counted, 'outage', { now, for: outagePauseMs(failures, random) })
}

/** The log without its pause. */
export function resumed(log: CallLog): CallLog {
  const { pausedUntil, pauseReason, failures } = log
  const isClean = [pausedUntil, pauseReason, failures].every((value) => value === undefined)
  return isClean ? log : { calls: log.calls, ...steadyLimitOf(log) }
}

/** Doubles from a second, with jitter of a fifth, so that several shops do not come back together. */
function outagePauseMs(failures: number, random: number): number {
  const bound = 1_000 * 2 ** Math.max(0, failures - failuresBeforePause)
  return Math.floor(Math.min(longestOutagePauseMs, bound) * (0.8 + random / 5))
}

/** Whether only a call that succeeds ends the pause. */
export const isUntilSuccess = ({ pauseReason }: CallLog) =>
  pauseReason === 'outage' || pauseReason === 'misconfigured'

const paused = (
  log: CallLog,
  pauseReason: PauseReason,
  pause: { now: number; for: number },
): CallLog => ({
  calls: log.calls,
  ...steadyLimitOf(log),
  ...(log.failures !== undefined && { failures: log.failures }),
  pauseReason,
  pausedSince: log.pauseReason === pauseReason ? (log.pausedSince ?? pause.now) : pause.now,
  pausedUntil: pause.now + pause.for,
})

const steadyLimitOf = ({ steadyLimit }: CallLog): Pick<CallLog, 'steadyLimit'> =>
  steadyLimit === undefined ? {} : { steadyLimit }

function withoutFailures(log: CallLog): CallLog {
  const { failures, ...rest } = log
  return failures === undefined ? log : rest
}

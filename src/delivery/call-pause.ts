import { createHash } from 'node:crypto'
import type { CallName } from '../marketing/platform.js'
import type { CallLog, CallLogs, Pause } from './call-log.js'

/** How long nothing is sent with a key that the platform does not take. */
export const misconfiguredPauseMs = 60_000

/** The longest wait between two looks at whether the platform is back. */
const longestOutagePauseMs = 50_000

/**
 * A second after the second failure in a row, then ever twice as long, with jitter of a fifth, so that
 * several shops do not come back together.
 */
export const outagePauseMs = (failures: number, random: number): number =>
  Math.floor(Math.min(longestOutagePauseMs, 250 * 2 ** failures) * (0.8 + random / 5))

export const pausedUntil = (pause: Pause | undefined): number =>
  Math.max(pause?.until ?? 0, pause?.probeUntil ?? 0)

/** Whether only a call that is answered ends the pause. */
export const isUntilAnswer = (pause: Pause | undefined): pause is Pause =>
  pause !== undefined && pause.reason !== 'rate-limited'

/** Tells keys apart in the database, and gives none away. */
export const markOfKey = (apiKey: string): string =>
  createHash('sha256').update(apiKey).digest('hex').slice(0, 12)

/** The pauses that hold for that key. */
export function pausesOf({ key, calls = {} }: CallLogs, apiKey: string, now: number) {
  if (key !== markOfKey(apiKey)) return []
  return (Object.entries(calls) as [CallName, CallLog][]).flatMap(([call, { pause }]) => {
    if (pause === undefined || (pause.until <= now && !isUntilAnswer(pause))) return []
    const { reason, since, until } = pause
    return { call, reason, since: new Date(since), until: new Date(until) }
  })
}

export type CallPause = ReturnType<typeof pausesOf>[number]

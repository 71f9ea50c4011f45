import type { Alert } from './alert.js'
import { snoozeEnd } from './decide-alerts.js'

/** The day whose digest is due, such as `2026-11-23`, and what it is about. */
interface Digest<Open> {
  day: string
  alerts: Open[]
}

/**
 * The digest of today: the alerts that were open at its hour already, as what began later, or was put off until
 * later, was just reported. Undefined before that hour, and without such alerts. Day and hour are those of the shop's time
 * zone.
 */
export function digestDue<Open extends Pick<Alert, 'begunAt' | 'snoozedUntil'>>(
  open: readonly Open[],
  { now, hour, timezone }: { now: Date; hour: number; timezone: string },
): Digest<Open> | undefined {
  const [day = '', time = ''] = localText(now, timezone).split(' ')
  const due = `${String(hour).padStart(2, '0')}:00`
  if (time < due) return undefined
  const reportedAt = (alert: Open) => localText(snoozeEnd(alert, now) ?? alert.begunAt, timezone)
  const alerts = open.filter((alert) => reportedAt(alert) < `${day} ${due}`)
  return alerts.length === 0 ? undefined : { day, alerts }
}

/** `2026-11-23 08:00`. Such texts sort like their moments. */
const localText = (at: Date, timezone: string): string =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)

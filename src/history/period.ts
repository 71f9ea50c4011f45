import { DateTime } from 'luxon'

/** Days as the shop's calendar has them, `2025-01-31`. The last one is not part of it. */
export interface HistoryPeriod {
  from: string
  to: string
}

/** Databases keep no moment that is much earlier, and no shop sold by then. */
export const earliestDay = '1970-01-01'

/** The days that were given; undefined when they are none, too early, or end before they begin. */
export function readPeriod(days: { from?: unknown; to?: unknown }): HistoryPeriod | undefined {
  const { from, to } = days
  const isPeriod = isDay(from) && isDay(to) && from >= earliestDay && from < to
  return isPeriod ? { from, to } : undefined
}

/** A day of the calendar, `2025-01-31`. */
export const isDay = (text: unknown): text is string =>
  typeof text === 'string' &&
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  DateTime.fromISO(text, { zone: 'utc' }).isValid

/** The moments at which a period begins and ends where the shop is. The end is not part of it. */
export const momentsOf = ({ from, to }: HistoryPeriod, timezone: string) => ({
  begin: startOfDay(from, timezone),
  end: startOfDay(to, timezone),
})

const startOfDay = (day: string, zone: string): Date =>
  DateTime.fromISO(day, { zone }).startOf('day').toJSDate()

import { DateTime } from 'luxon'

/** Days in the shop's timezone, such as `2025-01-31`. The period ends before `to`. */
export interface HistoryPeriod {
  from: string
  to: string
}

/** Databases cannot store much earlier moments, and no shop sold before. */
export const earliestDay = '1970-01-01'

/** Undefined when a day is invalid or too early, or `to` is not after `from`. */
export function readPeriod(days: { from?: unknown; to?: unknown }): HistoryPeriod | undefined {
  const { from, to } = days
  const isPeriod = isDay(from) && isDay(to) && from >= earliestDay && from < to
  return isPeriod ? { from, to } : undefined
}

/** Whether a text is a day of the calendar, such as `2025-01-31`. */
export const isDay = (text: unknown): text is string =>
  typeof text === 'string' && DateTime.fromFormat(text, 'yyyy-MM-dd', { zone: 'utc' }).isValid

/** In the shop's timezone. The end is not part of the period. */
export function momentsOf({ from, to }: HistoryPeriod, zone: string) {
  const startOf = (day: string) => DateTime.fromISO(day, { zone }).startOf('day').toJSDate()
  return { begin: startOf(from), end: startOf(to) }
}

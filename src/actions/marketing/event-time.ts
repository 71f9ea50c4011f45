import { DateTime } from 'luxon'

/** More characters than ISO 8601 needs for any moment. */
const timeLength = 64

/** A time of day alone would be read as today's. */
const startsWithYear = /^\d{4}/

/**
 * The moment in an ISO 8601 text, in UTC; one without an offset is in the site's timezone.
 * Undefined when it is not a date, is before 1990 or more than a year ahead (`interface.md`, Events).
 */
export function readEventTime(
  text: string,
  { now, timezone }: { now: Date; timezone: string },
): string | undefined {
  if (text.length > timeLength || !startsWithYear.test(text)) return undefined
  const moment = DateTime.fromISO(text, { zone: timezone }).toUTC()
  if (!moment.isValid || moment.year < 1990) return undefined
  const limit = DateTime.fromJSDate(now, { zone: 'utc' }).plus({ years: 1 })
  return moment > limit ? undefined : moment.toISO()
}

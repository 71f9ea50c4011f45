/** Numbers and moments as people of a language write them. */

export const numberText = (value: number, language: string): string =>
  new Intl.NumberFormat(language).format(value)

export const momentText = (
  at: Date,
  {
    language,
    timezone,
    onlyTime = false,
  }: { language: string; timezone: string; onlyTime?: boolean },
): string =>
  new Intl.DateTimeFormat(language, {
    timeZone: timezone,
    timeStyle: 'short',
    ...(!onlyTime && { dateStyle: 'medium' }),
  }).format(at)

/** A day of the calendar, such as `2026-01-31`, which is the same one in every time zone. */
export const dayText = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, { timeZone: 'UTC', dateStyle: 'medium' }).format(new Date(day))

const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const

/** `3 hours ago`, `in 2 minutes`; below a minute `now`. */
export function timeAgo(at: Date, now: Date, language: string): string {
  const seconds = (at.getTime() - now.getTime()) / 1000
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const fitting = units.find((unit) => Math.abs(seconds) >= unit.seconds)
  return fitting === undefined
    ? format.format(0, 'second')
    : format.format(Math.trunc(seconds / fitting.seconds), fitting.unit)
}

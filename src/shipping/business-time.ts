import { DateTime } from 'luxon'

const lastBusinessDay = 5

/** The moment since which this many milliseconds of Mondays to Fridays have passed, public holidays included. */
export function businessTimeAgo(now: Date, ms: number, timezone: string): Date {
  let until = DateTime.fromJSDate(now, { zone: timezone })
  let left = ms
  for (;;) {
    // The end of a day is the beginning of the next one.
    const day = until.minus(1).startOf('day')
    const isCounted = day.weekday <= lastBusinessDay
    const lasted = isCounted ? until.toMillis() - day.toMillis() : 0
    if (isCounted && left <= lasted) return until.minus(left).toJSDate()
    left -= lasted
    until = day
  }
}

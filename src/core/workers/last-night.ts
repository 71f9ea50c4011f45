import { DateTime } from 'luxon'

/** Few people shop then, and what was begun on the day before is settled. */
const hourOfNight = 3

/** When the work of the last night was due, by the shop's clock. */
export function lastNight(now: Date, timezone: string): DateTime {
  const local = DateTime.fromJSDate(now, { zone: timezone })
  const tonight = local.startOf('day').set({ hour: hourOfNight })
  return tonight > local ? tonight.minus({ days: 1 }) : tonight
}

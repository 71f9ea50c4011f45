import { DateTime } from 'luxon'

/** `03/10/2026 14:30`, in UTC: ShipStation speaks in minutes at most. */
export const minuteText = (date: Date): string =>
  DateTime.fromJSDate(date, { zone: 'utc' }).toFormat('MM/dd/yyyy HH:mm')

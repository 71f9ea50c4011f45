import { DateTime } from 'luxon'

// ShipStation speaks UTC, and minutes at most:
// https://www.shipstation.com/docs/custom-store/v1/get-orders/

/** `03/10/2026 14:30`, in UTC: the window of a pull and the date of a label. */
export const minuteText = (date: Date): string => utcText(date, 'MM/dd/yyyy HH:mm')

/** `03/10/2026`, in UTC: the day of a shipment. */
export const dayText = (date: Date): string => utcText(date, 'MM/dd/yyyy')

/** Reads a date of an exported order; `undefined` when it is none. The schema allows all four. */
export function readDateText(text: string): Date | undefined {
  for (const format of [
    'M/d/yyyy H:mm',
    'M/d/yyyy H:mm:ss',
    'M/d/yyyy h:mm a',
    'M/d/yyyy h:mm:ss a',
  ]) {
    const date = DateTime.fromFormat(text.trim(), format, { zone: 'utc', locale: 'en-US' })
    if (date.isValid) return date.toJSDate()
  }
  return undefined
}

function utcText(date: Date, format: string): string {
  const utc = DateTime.fromJSDate(date, { zone: 'utc' })
  if (!utc.isValid) throw new TypeError('The date is not a valid date')
  return utc.toFormat(format)
}

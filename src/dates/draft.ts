import type { Zone } from 'luxon'

export type CalendarDate = {
  year: number | undefined
  month: number | undefined
  day: number | undefined
}

export type ClockTime = { hour: number; minute: number; second: number; millisecond: number }

export type Shift = {
  years: number
  months: number
  days: number
  hours: number
  minutes: number
  seconds: number
  microseconds: number
}

/** Sunday is 0. Searched from tomorrow or from today on, or within this Monday-to-Sunday week. */
export type Weekday = { day: number; search: 'afterToday' | 'fromToday' | 'thisWeek' }

/** "third weekday" steps over weekends; "first/last friday of" starts at one end of the month. */
type Special =
  { kind: 'weekdays'; amount: number } | { kind: 'firstInMonth' } | { kind: 'lastInMonth' }

/** What a text has said so far. Whatever stays undefined is taken from the present moment. */
export type Draft = CalendarDate & {
  hasDate: boolean
  time: ClockTime | undefined
  timesGiven: number
  zone: Zone | undefined
  zonesGiven: number
  shift: Shift
  weekday: Weekday | undefined
  special: Special | undefined
  monthEdge: 'first' | 'last' | undefined
}

export const MIDNIGHT: ClockTime = { hour: 0, minute: 0, second: 0, millisecond: 0 }

export const EMPTY_DRAFT: Draft = {
  year: undefined,
  month: undefined,
  day: undefined,
  hasDate: false,
  time: undefined,
  timesGiven: 0,
  zone: undefined,
  zonesGiven: 0,
  shift: { years: 0, months: 0, days: 0, hours: 0, minutes: 0, seconds: 0, microseconds: 0 },
  weekday: undefined,
  special: undefined,
  monthEdge: undefined,
}

/** A second date in one text is refused. */
export const withDate = (draft: Draft, date: Partial<CalendarDate>): Draft | undefined =>
  draft.hasDate ? undefined : { ...draft, ...date, hasDate: true }

/** A second time in one text is refused. */
export const withTime = (draft: Draft, time: Partial<ClockTime>): Draft | undefined =>
  draft.timesGiven > 0 ? undefined : { ...draft, time: { ...MIDNIGHT, ...time }, timesGiven: 1 }

/** Words for a whole day reset the time: "tomorrow 3pm" is 15:00, "3pm tomorrow" is 0:00. */
export const withoutTime = (draft: Draft): Draft => ({ ...draft, time: MIDNIGHT, timesGiven: 0 })

/** The second zone of a text is ignored, a third is refused. */
export function withZone(draft: Draft, zone: Zone | undefined): Draft | undefined {
  const zonesGiven = draft.zonesGiven + 1
  if (zonesGiven > 2) return undefined
  if (zonesGiven === 2) return { ...draft, zonesGiven }
  return zone && { ...draft, zone, zonesGiven }
}

export const withShift = (draft: Draft, shift: Partial<Shift>): Draft => ({
  ...draft,
  shift: { ...draft.shift, ...shift },
})

import type { Zone } from 'luxon'

export type Found = Record<string, string | undefined>

/** A pattern, and what a match adds to the draft. Undefined refuses the text. */
export type Rule = { pattern: RegExp; read: (found: Found, draft: Draft) => Draft | undefined }

export const rule = (pattern: string, read: Rule['read']): Rule => ({
  pattern: new RegExp(pattern, 'y'),
  read,
})

/** Letters in either case. The flag `i` would not do: PHP reads some words in one case only. */
export const anyCase = (pattern: string) =>
  pattern.replace(/\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`)

/** Alternatives, the longest first: "month" has to be tried before "mon". */
export const oneOf = (words: readonly string[]) =>
  `(?:${[...words].sort((one, other) => other.length - one.length).join('|')})`

export const GAP = String.raw`(?:[ \t]+|\u00a0+|\u202f+)`

export type CalendarDate = Record<'year' | 'month' | 'day', number | undefined>

export const MIDNIGHT = { hour: 0, minute: 0, second: 0, millisecond: 0 }

export type ClockTime = typeof MIDNIGHT

const NO_SHIFT = {
  years: 0,
  months: 0,
  days: 0,
  hours: 0,
  minutes: 0,
  seconds: 0,
  microseconds: 0,
}

export type Shift = typeof NO_SHIFT

/** A day of the week; Sunday is 0. The search begins tomorrow or today, or is within this week. */
export type Weekday = { day: number; search: 'afterToday' | 'fromToday' | 'thisWeek' }

/** "third weekday" counts working days; "first friday of" counts from the beginning of the month. */
type Counting =
  { by: 'workingDays'; amount: number } | { by: 'firstInMonth' } | { by: 'lastInMonth' }

/** What a text has said so far. What stays undefined is taken from the present moment. */
export type Draft = CalendarDate & {
  hasDate: boolean
  time: ClockTime | undefined
  timesGiven: number
  zone: Zone | undefined
  zonesGiven: number
  shift: Shift
  weekday: Weekday | undefined
  counting: Counting | undefined
  monthEdge: 'first' | 'last' | undefined
}

export const EMPTY_DRAFT: Draft = {
  year: undefined,
  month: undefined,
  day: undefined,
  hasDate: false,
  time: undefined,
  timesGiven: 0,
  zone: undefined,
  zonesGiven: 0,
  shift: NO_SHIFT,
  weekday: undefined,
  counting: undefined,
  monthEdge: undefined,
}

export const withDate = (draft: Draft, date: Partial<CalendarDate>): Draft | undefined =>
  draft.hasDate ? undefined : { ...draft, ...date, hasDate: true }

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

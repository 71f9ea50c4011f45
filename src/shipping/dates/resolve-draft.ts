import type { Zone } from 'luxon'
import { MIDNIGHT, type ClockTime, type Draft, type Weekday } from './draft.js'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const SUNDAY = 0
const SATURDAY = 6

/** The local time of a zone at an instant, as a Date whose UTC fields show it. */
const wallClock = (instant: Date, zone: Zone) =>
  new Date(instant.getTime() + offsetMs(zone, instant.getTime()))

// Rounded because luxon counts in minutes, and local mean times had seconds.
const offsetMs = (zone: Zone, instantMs: number) => Math.round(zone.offset(instantMs) * MINUTE_MS)

/**
 * The instant at which a zone's clock shows the time. A time that spring skips counts on from before the gap. Of one
 * that autumn repeats, PHP takes the second east of Greenwich, and the first west of it or when the text names its
 * zone.
 */
function instantOf(wall: Date, zone: Zone, isNamedZone: boolean): Date {
  const wallMs = wall.getTime()
  const guessedMs = offsetMs(zone, wallMs)
  const refinedMs = offsetMs(zone, wallMs - guessedMs)
  const isInGap = offsetMs(zone, wallMs - refinedMs) !== refinedMs && guessedMs < 0
  const instantMs = wallMs - (isInGap ? guessedMs : refinedMs)
  return new Date(isNamedZone ? firstOf(instantMs, zone, wallMs) : instantMs)
}

/** The earlier instant with the same clock time, if the clock was put back shortly before. */
function firstOf(instantMs: number, zone: Zone, wallMs: number) {
  const earlierMs = wallMs - offsetMs(zone, instantMs - 120 * MINUTE_MS)
  const isSameTime = earlierMs + offsetMs(zone, earlierMs) === wallMs
  return isSameTime ? Math.min(earlierMs, instantMs) : instantMs
}

// Throughout this file the UTC fields of a Date show a local time. Overflow is intended: February 31 is
// March 3.

type WallDate = { year: number; month: number; day: number }

/** Takes what the text leaves out from the present moment, and then moves by what the text says. */
export function resolveDraft(draft: Draft, { now, zone }: { now: Date; zone: Zone }): Date {
  const start = startOf(draft, wallClock(now, zone))
  const onDay = onWeekday(start, draft)
  const moved = workingDaysLater(shifted(onDay, draft), draft)
  return instantOf(moved, draft.zone ?? zone, draft.zonesGiven > 0)
}

function startOf(draft: Draft, present: Date): Date {
  const now = partsOf(present)
  const time = draft.time ?? (draft.hasDate ? MIDNIGHT : now)
  const date = {
    year: draft.year ?? now.year,
    month: (draft.month ?? now.month) + monthsBeforeCounting(draft),
    day: isCountedInMonth(draft) ? 1 : (draft.day ?? now.day),
  }
  return wallAt({ ...time, ...atEdge(date, draft) })
}

const isCountedInMonth = ({ counting }: Draft) =>
  counting?.by === 'firstInMonth' || counting?.by === 'lastInMonth'

/** "last friday of" counts back from the first day of the month after. */
function monthsBeforeCounting({ counting, shift }: Draft) {
  if (counting?.by === 'firstInMonth') return shift.months
  return counting?.by === 'lastInMonth' ? shift.months + 1 : 0
}

function atEdge<Parts extends WallDate>(date: Parts, { monthEdge }: Draft): Parts {
  if (monthEdge === 'first') return { ...date, day: 1 }
  return monthEdge === 'last' ? { ...date, month: date.month + 1, day: 0 } : date
}

function onWeekday(wall: Date, { weekday, shift }: Draft): Date {
  return weekday ? daysLater(wall, daysToWeekday(weekday, wall.getUTCDay(), shift.days)) : wall
}

function daysToWeekday({ day, search }: Weekday, today: number, shiftedDays: number): number {
  // Sunday ends the week here.
  if (search === 'thisWeek') return (day || 7) - (today || 7)
  // Only "ago" makes a weekday negative.
  if (day < 0) return -(7 - (-day - today))
  const distance = day - today
  const isPassed = distance < 0 || (distance === 0 && search === 'afterToday' && shiftedDays >= 0)
  return isPassed ? distance + 7 : distance
}

function shifted(wall: Date, draft: Draft): Date {
  const { shift } = draft
  const from = partsOf(wall)
  const parts = {
    year: from.year + shift.years,
    month: from.month + (isCountedInMonth(draft) ? 0 : shift.months),
    day: from.day + shift.days,
    hour: from.hour + shift.hours,
    minute: from.minute + shift.minutes,
    second: from.second + shift.seconds,
    millisecond: from.millisecond + Math.floor(shift.microseconds / 1000),
  }
  return wallAt(atEdge(parts, draft))
}

/** Five working days are a week. The rest steps over weekends, and a result on a weekend moves off it. */
function workingDaysLater(wall: Date, { counting }: Draft): Date {
  if (counting?.by !== 'workingDays') return wall
  const { amount } = counting
  const rest = amount % 5
  const weeks = (amount - rest) / 5
  const weekend = daysForWeekend(rest, wall.getUTCDay(), amount > 0)
  return daysLater(wall, weeks * 7 + rest + weekend)
}

function daysForWeekend(rest: number, today: number, isForward: boolean): number {
  if (rest === 0) return isForward ? backToFriday(today) : onToMonday(today)
  if (isForward) return today === SATURDAY ? 1 : today + rest > 5 ? 2 : 0
  return today === SUNDAY ? -1 : today + rest < 1 ? -2 : 0
}

const backToFriday = (today: number) => (today === SUNDAY ? -2 : today === SATURDAY ? -1 : 0)

const onToMonday = (today: number) => (today === SATURDAY ? 2 : today === SUNDAY ? 1 : 0)

const daysLater = (wall: Date, days: number) => new Date(wall.getTime() + days * DAY_MS)

const partsOf = (wall: Date): WallDate & ClockTime => ({
  year: wall.getUTCFullYear(),
  month: wall.getUTCMonth() + 1,
  day: wall.getUTCDate(),
  hour: wall.getUTCHours(),
  minute: wall.getUTCMinutes(),
  second: wall.getUTCSeconds(),
  millisecond: wall.getUTCMilliseconds(),
})

function wallAt(parts: WallDate & ClockTime): Date {
  const wall = new Date(0)
  wall.setUTCFullYear(parts.year, parts.month - 1, parts.day)
  wall.setUTCHours(parts.hour, parts.minute, parts.second, parts.millisecond)
  return wall
}

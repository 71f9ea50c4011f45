import type { Zone } from 'luxon'
import { MIDNIGHT } from './draft.js'
import type { ClockTime, Draft, Weekday } from './draft.js'
import { instantOf, wallClock } from './instant-of.js'

// Throughout this file the UTC fields of a Date show the clock on the wall. Overflow is wanted:
// February 31 is March 3.

type WallDate = { year: number; month: number; day: number }

/** Fills what the text left open from the present moment, then moves it as the text says. */
export function resolveDraft(draft: Draft, { now, zone }: { now: Date; zone: Zone }): Date {
  const start = startOf(draft, wallClock(now, zone))
  const wall = workingDaysLater(shifted(onWeekday(start, draft), draft), draft)
  return instantOf(wall, draft.zone ?? zone, draft.zonesGiven > 0)
}

function startOf(draft: Draft, present: Date): Date {
  const { year, month, day } = {
    year: draft.year ?? present.getUTCFullYear(),
    month: draft.month ?? present.getUTCMonth() + 1,
    day: draft.day ?? present.getUTCDate(),
  }
  const time = draft.time ?? (draft.hasDate ? MIDNIGHT : timeOf(present))
  const countedMonth = month + monthsBeforeCounting(draft)
  const date = { year, month: countedMonth, day: isCountedInMonth(draft) ? 1 : day }
  return wallAt(atEdge(date, draft), time)
}

const isCountedInMonth = ({ special }: Draft) =>
  special?.kind === 'firstInMonth' || special?.kind === 'lastInMonth'

/** "last friday of" counts back from the first day of the month after. */
function monthsBeforeCounting({ special, shift }: Draft) {
  if (special?.kind === 'firstInMonth') return shift.months
  return special?.kind === 'lastInMonth' ? shift.months + 1 : 0
}

function atEdge(date: WallDate, { monthEdge }: Draft): WallDate {
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
  const date = {
    year: wall.getUTCFullYear() + shift.years,
    month: wall.getUTCMonth() + 1 + (isCountedInMonth(draft) ? 0 : shift.months),
    day: wall.getUTCDate() + shift.days,
  }
  const time = timeOf(wall)
  return wallAt(atEdge(date, draft), {
    hour: time.hour + shift.hours,
    minute: time.minute + shift.minutes,
    second: time.second + shift.seconds,
    millisecond: time.millisecond + Math.floor(shift.microseconds / 1000),
  })
}

/** Five working days are a week. The rest steps over weekends; ending on one moves back off it. */
function workingDaysLater(wall: Date, { special }: Draft): Date {
  if (special?.kind !== 'weekdays') return wall
  const { amount } = special
  const rest = amount % 5
  const weeks = (amount - rest) / 5
  const weekend = daysForWeekend({ rest, today: wall.getUTCDay(), isForward: amount > 0 })
  return daysLater(wall, weeks * 7 + rest + weekend)
}

type WorkingDays = { rest: number; today: number; isForward: boolean }

function daysForWeekend({ rest, today, isForward }: WorkingDays): number {
  const isSaturday = today === 6
  const isSunday = today === 0
  if (rest === 0 && isForward) return isSunday ? -2 : isSaturday ? -1 : 0
  if (rest === 0) return isSaturday ? 2 : isSunday ? 1 : 0
  if (isForward) return isSaturday ? 1 : today + rest > 5 ? 2 : 0
  return isSunday ? -1 : today + rest < 1 ? -2 : 0
}

const daysLater = (wall: Date, days: number) =>
  wallAt(
    { year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate() + days },
    timeOf(wall),
  )

const timeOf = (wall: Date): ClockTime => ({
  hour: wall.getUTCHours(),
  minute: wall.getUTCMinutes(),
  second: wall.getUTCSeconds(),
  millisecond: wall.getUTCMilliseconds(),
})

function wallAt(date: WallDate, time: ClockTime): Date {
  const wall = new Date(0)
  wall.setUTCFullYear(date.year, date.month - 1, date.day)
  wall.setUTCHours(time.hour, time.minute, time.second, time.millisecond)
  return wall
}

import { FixedOffsetZone } from 'luxon'
import {
  withoutTime,
  withShift,
  withZone,
  type Draft,
  type Shift,
  type Weekday,
  anyCase,
  GAP,
  oneOf,
  rule,
  type Found,
  type Rule,
} from './draft.js'

const { raw } = String

const UNITS: Readonly<Record<string, { unit: keyof Shift; times: number }>> = {
  ms: { unit: 'microseconds', times: 1000 },
  msec: { unit: 'microseconds', times: 1000 },
  millisecond: { unit: 'microseconds', times: 1000 },
  µs: { unit: 'microseconds', times: 1 },
  µsec: { unit: 'microseconds', times: 1 },
  usec: { unit: 'microseconds', times: 1 },
  microsecond: { unit: 'microseconds', times: 1 },
  sec: { unit: 'seconds', times: 1 },
  second: { unit: 'seconds', times: 1 },
  min: { unit: 'minutes', times: 1 },
  minute: { unit: 'minutes', times: 1 },
  hour: { unit: 'hours', times: 1 },
  day: { unit: 'days', times: 1 },
  week: { unit: 'days', times: 7 },
  fortnight: { unit: 'days', times: 14 },
  forthnight: { unit: 'days', times: 14 },
  month: { unit: 'months', times: 1 },
  year: { unit: 'years', times: 1 },
}

const SHORT_WEEKDAYS = 'sun mon tue wed thu fri sat'.split(' ')
const FULL_WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')

const AMOUNTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(ORDINALS.map((word, index) => [word, index + 1])),
  // PHP reads this spelling of the eighth too.
  eight: 8,
  next: 1,
  last: -1,
  previous: -1,
  this: 0,
}

const andPlurals = (names: readonly string[]) => names.flatMap((name) => [name, `${name}s`])

const WEEKDAYS = [...SHORT_WEEKDAYS, ...andPlurals(FULL_WEEKDAYS)]
const UNIT_NAMES = [
  ...andPlurals(Object.keys(UNITS).filter((name) => name !== 'ms' && name !== 'µs')),
  ...['ms', 'µs', 'weekday', 'weekdays'],
  ...WEEKDAYS,
]

const WEEKDAY = `(?<weekday>${anyCase(oneOf(WEEKDAYS))})`
const UNIT = `(?<unit>${anyCase(oneOf(UNIT_NAMES))})`
// "next week" has a rule of its own, and PHP refuses "third week".
const UNIT_AFTER_WORD = `(?<unit>${anyCase(oneOf(UNIT_NAMES.filter((name) => name !== 'week')))})`
const AMOUNT = `(?<amount>${anyCase(oneOf(Object.keys(AMOUNTS)))})`

const amountOf = ({ amount = '' }: Found) => AMOUNTS[amount.toLowerCase()] ?? 0

/** "weekday" alone means Monday to PHP. */
const weekdayNumber = (name: string) =>
  /^week/i.test(name) ? 1 : SHORT_WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase())

const shiftedBy = (draft: Draft, unit: keyof Shift, amount: number) =>
  withShift(draft, { [unit]: draft.shift[unit] + amount })

/** Moves by weeks, and then to the day: the next Monday is 0 weeks away, the Monday before it -1. */
const withWeekday = (draft: Draft, amount: number, weekday: Weekday): Draft => ({
  ...shiftedBy(draft, 'days', (amount > 0 ? amount - 1 : amount) * 7),
  weekday,
})

type Step = { amount: number; unit: string; search: Weekday['search'] }

function durationOf(unit: string) {
  const name = unit.toLowerCase()
  return UNITS[name] ?? UNITS[name.replace(/s$/, '')]
}

/** Moves by a duration or by working days, or to a day of the week. */
function withStep(draft: Draft, { amount, unit, search }: Step): Draft {
  const duration = durationOf(unit)
  if (duration) return shiftedBy(draft, duration.unit, amount * duration.times)
  if (/^week/i.test(unit)) return { ...draft, counting: { by: 'workingDays', amount } }
  return withWeekday(draft, amount, { day: weekdayNumber(unit), search })
}

/** "+1 week", "-2 days", "--2 days", "3 fri". Keeps the time, whatever the unit. */
function readNumberAndUnit({ signs = '', number, unit = '' }: Found, draft: Draft) {
  const isNegative = signs.replaceAll('+', '').length % 2 === 1
  const amount = isNegative ? -Number(number) : Number(number)
  return withStep(draft, { amount, unit, search: 'fromToday' })
}

/** "next month", "third day", "last friday". Days of the week reset the time. */
function readWordAndUnit(found: Found, draft: Draft) {
  const { amount: word = '', unit = '' } = found
  const search = word.toLowerCase() === 'this' ? 'fromToday' : 'afterToday'
  const stepped = withStep(draft, { amount: amountOf(found), unit, search })
  return durationOf(unit) ? stepped : withoutTime(stepped)
}

/** "next week" is the Monday of it, unless the text names another day. */
function readWordAndWeek(found: Found, draft: Draft): Draft {
  const day = draft.weekday?.day ?? 1
  return {
    ...shiftedBy(draft, 'days', amountOf(found) * 7),
    weekday: { day, search: 'thisWeek' },
  }
}

/** "first monday of", "last friday of". */
function readWeekdayOfMonth(found: Found, draft: Draft): Draft {
  const amount = amountOf(found)
  const search = amount < 0 ? 'afterToday' : 'fromToday'
  const day = weekdayNumber(found['weekday'] ?? '')
  return {
    ...withoutTime(withWeekday(draft, amount, { day, search })),
    counting: { by: amount > 0 ? 'firstInMonth' : 'lastInMonth' },
  }
}

/** Reverses every shift before it except microseconds, which PHP forgets. */
function readAgo(_found: Found, draft: Draft): Draft {
  const { shift, weekday, counting } = draft
  return {
    ...draft,
    shift: {
      years: -shift.years,
      months: -shift.months,
      days: -shift.days,
      hours: -shift.hours,
      minutes: -shift.minutes,
      seconds: -shift.seconds,
      microseconds: shift.microseconds,
    },
    // A negative weekday looks backwards; Sunday, having no negative of its own, becomes -7.
    weekday: weekday && { ...weekday, day: -weekday.day || -7 },
    counting: counting?.by === 'workingDays' ? { ...counting, amount: -counting.amount } : counting,
  }
}

/** Seconds since 1970. "@1." is refused, as is a zone before the "@": PHP makes year -1 of it. */
function readTimestamp({ seconds, fraction }: Found, draft: Draft) {
  if (fraction === '' || draft.zonesGiven > 0) return undefined
  const sign = seconds?.startsWith('-') ? -1 : 1
  const { shift } = draft
  const epoch = { ...withoutTime(draft), year: 1970, month: 1, day: 1, hasDate: false }
  const counted = withShift(epoch, {
    seconds: shift.seconds + Number(seconds),
    microseconds: sign * Number((fraction ?? '').padEnd(6, '0')),
  })
  return withZone(counted, FixedOffsetZone.utcInstance)
}

const edgeOfMonth = (edge: 'first' | 'last') =>
  rule(anyCase(`${edge} day of`), (_found, draft) => ({ ...draft, monthEdge: edge }))

const wholeDay = (words: string, shift: Partial<Shift>) =>
  rule(anyCase(words), (_found, draft) => withoutTime(withShift(draft, shift)))

/** Above a rule stands a text that it reads. */
export const relativeRules: readonly Rule[] = [
  wholeDay('yesterday', { days: -1 }),
  wholeDay('today|midnight', {}),
  wholeDay('tomorrow', { days: 1 }),
  rule(anyCase('now'), (_found, draft) => draft),
  // @1767225600
  rule(raw`@(?<seconds>-?\d+)(?:\.(?<fraction>\d{0,6}))?`, readTimestamp),
  // "first day of"
  edgeOfMonth('first'),
  edgeOfMonth('last'),
  // "last friday of"
  rule(`${AMOUNT}${GAP}${WEEKDAY}${GAP}${anyCase('of')}`, readWeekdayOfMonth),
  rule(anyCase('ago'), readAgo),
  // "friday"
  rule(`${WEEKDAY}|${anyCase('weekdays?')}`, ({ weekday = 'weekday' }, draft) => ({
    ...withoutTime(draft),
    weekday: {
      day: weekdayNumber(weekday),
      search: draft.weekday?.search === 'thisWeek' ? 'thisWeek' : 'fromToday',
    },
  })),
  // "next week"
  rule(`(?<amount>${anyCase('next|last|previous|this')})${GAP}${anyCase('week')}`, readWordAndWeek),
  // "third day"
  rule(`${AMOUNT}${GAP}${UNIT_AFTER_WORD}`, readWordAndUnit),
  // "+2 days"
  rule(raw`(?<signs>[+-]*)[ \t]*(?<number>\d{1,13})${GAP}?${UNIT}`, readNumberAndUnit),
]

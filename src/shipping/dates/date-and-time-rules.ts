import {
  GAP,
  rule,
  withDate,
  withTime,
  type Draft,
  type Found,
  type Rule,
  anyCase,
  withoutTime,
  type ClockTime,
  oneOf,
  withShift,
  type CalendarDate,
} from './draft.js'
import { ZONE, zoneOf } from './zone-rules.js'

const { raw } = String

const SHORT_NAMES = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const FULL_NAMES =
  'january february march april may june july august september october november december'.split(' ')
const ROMAN_NUMBERS = 'I II III IV V VI VII VIII IX X XI XII'.split(' ')

const YEAR = '(?<year>[0-9]{1,4})'
const YEAR_4 = '(?<year>[0-9]{4})'
const MONTH = '(?<month>1[0-2]|0?[0-9])'
const MONTH_PADDED = '(?<month>1[0-2]|0[0-9])'
const MONTH_SHORT_NAME = `(?<month>${anyCase(oneOf([...SHORT_NAMES, 'sept']))})`
const ANY_NAME = anyCase(oneOf([...FULL_NAMES, ...SHORT_NAMES, 'sept']))
const MONTH_NAME = `(?<month>${ANY_NAME})`
const MONTH_WORD = `(?<month>${ANY_NAME}|${oneOf(ROMAN_NUMBERS)})`
const DAY = '(?<day>3[01]|[0-2]?[0-9])(?:st|nd|rd|th)?'
const DAY_PADDED = '(?<day>3[01]|[0-2][0-9])'
const DAY_OF_YEAR = '(?<day>36[0-6]|3[0-5][0-9]|[12][0-9]{2}|0[1-9][0-9]|00[1-9])'
const WEEK = '(?<week>5[0-3]|[1-4][0-9]|0[1-9])'
const SEPARATORS = raw`[ \t.-]*`
const AFTER_DAY = raw`[,.stndrh\t ]+`
const MONTH_AND_DAY = `${MONTH_WORD}${SEPARATORS}${DAY}`

function monthNumber(text: string) {
  if (/^\d/.test(text)) return Number(text)
  const byName = SHORT_NAMES.indexOf(text.slice(0, 3).toLowerCase())
  return 1 + (byName >= 0 ? byName : ROMAN_NUMBERS.indexOf(text))
}

/** One and two digits mean 1970 to 2069; three or more are the year itself. */
function fullYear(text: string) {
  const year = Number(text)
  if (text.length >= 4 || year >= 100) return year
  return year < 70 ? 2000 + year : 1900 + year
}

const calendarDate = ({ year, month, day }: Found): Partial<CalendarDate> => ({
  ...(year && { year: fullYear(year) }),
  ...(month && { month: monthNumber(month) }),
  ...(day && { day: Number(day) }),
})

const calendar = (pattern: string, preset: Partial<CalendarDate> = {}) =>
  rule(pattern, (found, draft) => withDate(draft, { ...preset, ...calendarDate(found) }))

/** Weeks start on Monday; week 1 is the one with January 4. */
function readWeekDate({ year = '', week, weekday = '1' }: Found, draft: Draft) {
  const dated = withDate(draft, { year: Number(year), month: 1, day: 1 })
  const january1 = new Date(0)
  january1.setUTCFullYear(Number(year), 0, 1)
  const dayOfWeek = january1.getUTCDay()
  const daysToWeek1 = dayOfWeek > 4 ? 7 - dayOfWeek : -dayOfWeek
  return dated && withShift(dated, { days: daysToWeek1 + (Number(week) - 1) * 7 + Number(weekday) })
}

/** Above a rule stands a text that it reads. */
const calendarRules: readonly Rule[] = [
  // 3/10
  calendar(`${MONTH}/${DAY}`),
  // 3/10/2026
  calendar(`${MONTH}/${DAY}/${YEAR}`),
  // 2026-03-10, +12026-03-10
  calendar(`(?<year>[+-][0-9]{5,19}|[+-]?[0-9]{4})-${MONTH_PADDED}-${DAY_PADDED}`),
  // 2026/3/10
  calendar(`${YEAR_4}/${MONTH}/${DAY}`),
  // 2026/03/10/
  calendar(`${YEAR_4}/${MONTH_PADDED}/${DAY_PADDED}/`),
  // 2026-3
  calendar(`${YEAR_4}-${MONTH}`, { day: 1 }),
  // 26-3-10
  calendar(`${YEAR}-${MONTH}-${DAY}`),
  // 10 March 2026, 10-III-26
  calendar(`${DAY}${SEPARATORS}${MONTH_WORD}${SEPARATORS}${YEAR}`),
  // 10.3.2026
  calendar(raw`${DAY}[.\t-]${MONTH}[.-]${YEAR_4}`),
  // 10.3.26
  calendar(raw`${DAY}[.\t]${MONTH}\.(?<year>[0-9]{2})`),
  // March 2026
  calendar(`${MONTH_WORD}${SEPARATORS}${YEAR_4}`, { day: 1 }),
  // 2026 March
  calendar(`${YEAR_4}${SEPARATORS}${MONTH_WORD}`, { day: 1 }),
  // March 10, 2026
  calendar(`${MONTH_AND_DAY}${AFTER_DAY}${YEAR}`),
  // March 10. It takes the year of the present moment, even when a year stood alone before it.
  calendar(`${MONTH_AND_DAY}(?:${AFTER_DAY}|$)`, { year: undefined }),
  // 10 March
  calendar(`${DAY}${SEPARATORS}${MONTH_WORD}`),
  // 20260310
  calendar(`${YEAR_4}${MONTH_PADDED}${DAY_PADDED}`),
  // 2026.069, the 69th day
  calendar(`${YEAR_4}[.-]?${DAY_OF_YEAR}`, { month: 1 }),
  // 2026-W11-2, the Tuesday of the 11th week
  rule(`${YEAR_4}-?W${WEEK}(?:-?(?<weekday>[0-7]))?`, readWeekDate),
  // Mar-10-2026
  calendar(`${MONTH_SHORT_NAME}-${DAY_PADDED}-${YEAR}`),
  // 2026-Mar-10
  calendar(`${YEAR}-${MONTH_SHORT_NAME}-${DAY_PADDED}`),
  // March
  calendar(MONTH_NAME),
  // 2026
  rule(YEAR_4, ({ year }, draft) => ({ ...draft, year: Number(year) })),
]

const HOUR_24 = '(?<hour>2[0-4]|[01]?[0-9])'
const HOUR_24_PADDED = '(?<hour>2[0-4]|[01][0-9])'
const HOUR_12 = '(?<hour>1[0-2]|0?[1-9])'
const MINUTE = '(?<minute>[0-5]?[0-9])'
const MINUTE_PADDED = '(?<minute>[0-5][0-9])'
const SECOND = '(?<second>60|[0-5]?[0-9])'
const SECOND_PADDED = '(?<second>60|[0-5][0-9])'
const FRACTION = '(?<fraction>[0-9]+)'
const HALF_OF_DAY = raw`(?<half>[AaPp])\.?[Mm]\.?(?:[ \t]|$)`

const SHORT_TIME_12 = raw`${HOUR_12}[:.]${MINUTE_PADDED}${GAP}?${HALF_OF_DAY}`
const LONG_TIME_12 = raw`${HOUR_12}[:.]${MINUTE}[:.]${SECOND_PADDED}${GAP}?${HALF_OF_DAY}`
const TIME_24 = raw`[tT]?${HOUR_24}[:.]${MINUTE}(?:[:.]${SECOND})?`
const TIME_24_PADDED = `${HOUR_24_PADDED}:${MINUTE_PADDED}:${SECOND_PADDED}`
const TIME_24_BEFORE_ZONE = raw`[tT]?${HOUR_24}[:.]${MINUTE}[:.]${SECOND_PADDED}`

function clockTime({ hour, minute = '0', second = '0', fraction = '', half }: Found) {
  const isAfternoon = half?.toLowerCase() === 'p'
  return {
    hour: half ? (Number(hour) % 12) + (isAfternoon ? 12 : 0) : Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')),
  } satisfies ClockTime
}

const clock = (pattern: string) =>
  rule(pattern, (found, draft) => withTime(draft, clockTime(found)))

/** Quarter past and quarter to: "back of 7pm" is 19:15, "front of 7pm" is 18:45. */
const quarter = (word: string, minutes: number) =>
  rule(`${anyCase(word)} ${HOUR_24}(?:${GAP}?${HALF_OF_DAY})?`, (found, draft) =>
    withTime(withoutTime(draft), { hour: clockTime(found).hour, minute: minutes }),
  )

/** Above a rule stands a text that it reads. */
const clockRules: readonly Rule[] = [
  rule(anyCase('noon'), (_found, draft) => withTime(withoutTime(draft), { hour: 12 })),
  quarter('back of', 15),
  quarter('front of', -15),
  // 2pm
  clock(raw`${HOUR_12}${GAP}?${HALF_OF_DAY}`),
  // 2:30 p.m.
  clock(SHORT_TIME_12),
  // 2:30:15 p.m.
  clock(LONG_TIME_12),
  // 2:30:15.5pm
  clock(`${HOUR_12}:${MINUTE_PADDED}:${SECOND_PADDED}[:.]${FRACTION}${HALF_OF_DAY}`),
  // T14
  clock(`[tT]${HOUR_24}`),
  // 14:30
  clock(TIME_24),
  // 14:30:15.5
  clock(raw`[tT]?${HOUR_24}[:.]${MINUTE}[:.]${SECOND}\.${FRACTION}`),
  // 1430. It is the year when there is a time already: "Mar 10 14:30 2026".
  rule(`[tT]?(?<digits>${HOUR_24_PADDED}${MINUTE_PADDED})`, (found, draft) =>
    draft.timesGiven === 1
      ? { ...draft, year: Number(found['digits']), timesGiven: 2 }
      : withTime(draft, clockTime(found)),
  ),
  // 143015
  clock(`[tT]?${HOUR_24_PADDED}${MINUTE_PADDED}${SECOND_PADDED}`),
  // "20260310T43000" lacks a digit and is refused. PHP makes hour 43 of it.
  rule('[tT][0-9]{5}(?![0-9])', () => undefined),
]

function readDateAndTime(found: Found, draft: Draft) {
  const dated = withDate(draft, calendarDate(found))
  return dated && withTime(dated, clockTime(found))
}

function readZonedDateAndTime(found: Found, draft: Draft) {
  const timed = readDateAndTime(found, draft)
  const zone = zoneOf(found['zone'] ?? '')
  return timed && zone && { ...timed, zone }
}

/** Without these rules "Mar 10 14:30" would be the year 14, followed by nonsense. */
const combinedRules: readonly Rule[] = [
  // Mar 10, 2:30pm
  rule(`${MONTH_AND_DAY}${AFTER_DAY}${SHORT_TIME_12}`, readDateAndTime),
  // Mar 10, 2:30:15pm
  rule(`${MONTH_AND_DAY}${AFTER_DAY}${LONG_TIME_12}`, readDateAndTime),
  // Mar 10, 14:30
  rule(`${MONTH_AND_DAY}${AFTER_DAY}${TIME_24}`, readDateAndTime),
  // Mar 10, 14:30:15 CET
  rule(`${MONTH_AND_DAY}${AFTER_DAY}${TIME_24_BEFORE_ZONE}${GAP}?${ZONE}`, readZonedDateAndTime),
  // 2026:03:10 14:30:15, as in EXIF
  rule(`${YEAR_4}:${MONTH_PADDED}:${DAY_PADDED} ${TIME_24_PADDED}`, readDateAndTime),
  // 10/Mar/2026:14:30:15 +0100, as in the Common Log Format of web servers
  rule(
    `${DAY}/${MONTH_SHORT_NAME}/${YEAR_4}:${TIME_24_PADDED}(?=${GAP}(?:GMT)?[+-][0-9])`,
    readDateAndTime,
  ),
]

export const dateAndTimeRules: readonly Rule[] = [...clockRules, ...calendarRules, ...combinedRules]

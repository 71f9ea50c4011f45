import {
  anyCase,
  oneOf,
  rule,
  withDate,
  withShift,
  type CalendarDate,
  type Draft,
  type Found,
  type Rule,
} from './draft.js'

const { raw } = String

const SHORT_NAMES = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const FULL_NAMES =
  'january february march april may june july august september october november december'.split(' ')
const ROMAN_NUMBERS = 'I II III IV V VI VII VIII IX X XI XII'.split(' ')

const YEAR = '(?<year>[0-9]{1,4})'
export const YEAR_4 = '(?<year>[0-9]{4})'
const MONTH = '(?<month>1[0-2]|0?[0-9])'
export const MONTH_PADDED = '(?<month>1[0-2]|0[0-9])'
export const MONTH_SHORT_NAME = `(?<month>${anyCase(oneOf([...SHORT_NAMES, 'sept']))})`
const ANY_NAME = anyCase(oneOf([...FULL_NAMES, ...SHORT_NAMES, 'sept']))
const MONTH_NAME = `(?<month>${ANY_NAME})`
const MONTH_WORD = `(?<month>${ANY_NAME}|${oneOf(ROMAN_NUMBERS)})`
export const DAY = '(?<day>3[01]|[0-2]?[0-9])(?:st|nd|rd|th)?'
export const DAY_PADDED = '(?<day>3[01]|[0-2][0-9])'
const DAY_OF_YEAR = '(?<day>36[0-6]|3[0-5][0-9]|[12][0-9]{2}|0[1-9][0-9]|00[1-9])'
const WEEK = '(?<week>5[0-3]|[1-4][0-9]|0[1-9])'
const SEPARATORS = raw`[ \t.-]*`
export const AFTER_DAY = raw`[,.stndrh\t ]+`
export const MONTH_AND_DAY = `${MONTH_WORD}${SEPARATORS}${DAY}`

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

export const calendarDate = ({ year, month, day }: Found): Partial<CalendarDate> => ({
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
export const calendarRules: readonly Rule[] = [
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

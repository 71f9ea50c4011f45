import {
  anyCase,
  GAP,
  rule,
  withoutTime,
  withTime,
  type ClockTime,
  type Found,
  type Rule,
} from './draft.js'

const { raw } = String

const HOUR_24 = '(?<hour>2[0-4]|[01]?[0-9])'
const HOUR_24_PADDED = '(?<hour>2[0-4]|[01][0-9])'
const HOUR_12 = '(?<hour>1[0-2]|0?[1-9])'
const MINUTE = '(?<minute>[0-5]?[0-9])'
const MINUTE_PADDED = '(?<minute>[0-5][0-9])'
const SECOND = '(?<second>60|[0-5]?[0-9])'
const SECOND_PADDED = '(?<second>60|[0-5][0-9])'
const FRACTION = '(?<fraction>[0-9]+)'
const HALF_OF_DAY = raw`(?<half>[AaPp])\.?[Mm]\.?(?:[ \t]|$)`

export const SHORT_TIME_12 = raw`${HOUR_12}[:.]${MINUTE_PADDED}${GAP}?${HALF_OF_DAY}`
export const LONG_TIME_12 = raw`${HOUR_12}[:.]${MINUTE}[:.]${SECOND_PADDED}${GAP}?${HALF_OF_DAY}`
export const TIME_24 = raw`[tT]?${HOUR_24}[:.]${MINUTE}(?:[:.]${SECOND})?`
export const TIME_24_PADDED = `${HOUR_24_PADDED}:${MINUTE_PADDED}:${SECOND_PADDED}`
export const TIME_24_BEFORE_ZONE = raw`[tT]?${HOUR_24}[:.]${MINUTE}[:.]${SECOND_PADDED}`

export function clockTime({ hour, minute = '0', second = '0', fraction = '', half }: Found) {
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
export const clockRules: readonly Rule[] = [
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

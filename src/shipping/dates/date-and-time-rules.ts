import {
  AFTER_DAY,
  calendarDate,
  calendarRules,
  DAY,
  DAY_PADDED,
  MONTH_AND_DAY,
  MONTH_PADDED,
  MONTH_SHORT_NAME,
  YEAR_4,
} from './calendar-rules.js'
import {
  clockRules,
  clockTime,
  LONG_TIME_12,
  SHORT_TIME_12,
  TIME_24,
  TIME_24_BEFORE_ZONE,
  TIME_24_PADDED,
} from './clock-rules.js'
import { GAP, rule, withDate, withTime, type Draft, type Found, type Rule } from './draft.js'
import { ZONE, zoneOf } from './zone-rules.js'

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

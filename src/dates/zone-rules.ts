import { FixedOffsetZone, IANAZone } from 'luxon'
import type { Zone } from 'luxon'
import { withZone } from './draft.js'
import { rule } from './rule.js'
import type { Rule } from './rule.js'
import { zoneAbbreviations } from './zone-abbreviations.js'

const { raw } = String

const HOUR = raw`(?:2[0-4]|[01]\d)`
const SECOND = raw`(?:60|[0-5]\d)`
const TO_THE_SECOND = raw`${HOUR}:[0-5]\d:${SECOND}|${HOUR}[0-5]\d${SECOND}`
const TO_THE_MINUTE = raw`(?:${HOUR}|\d)(?::?[0-5]?\d)?`
const OFFSET = raw`(?:GMT)?[+-](?:${TO_THE_SECOND}|${TO_THE_MINUTE})`
const NAME = raw`[A-Z][a-z]+(?:[_/-][A-Za-z]+)+|\(?[A-Za-z]{1,6}\)?`

export const ZONE = `(?<zone>${OFFSET}|${NAME})`

/** "2", "02", "930", "0930", "093000", "9:30" and "09:30:00" after the sign. */
function offsetZone(text: string): Zone {
  const digits = text.slice(text.search(/\d/))
  const pairs = digits.padStart(digits.length + (digits.length % 2), '0').match(/../g) ?? []
  const [hours = 0, minutes = 0, seconds = 0] = (
    digits.includes(':') ? digits.split(':') : pairs
  ).map(Number)
  const minutesEast = hours * 60 + minutes + seconds / 60
  return FixedOffsetZone.instance(text.includes('-') ? -minutesEast : minutesEast)
}

function namedZone(name: string): Zone | undefined {
  const hours = zoneAbbreviations.get(name.toLowerCase())
  if (hours !== undefined) return FixedOffsetZone.instance(hours * 60)
  // Node reads old three-letter names that PHP does not know: "ACT", "PLT".
  if (name.length <= 3 || !IANAZone.isValidZone(name)) return undefined
  // luxon stores every zone under the name it was asked for. One spelling keeps that store small.
  const spelling = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  return IANAZone.create(spelling)
}

export const zoneOf = (text: string): Zone | undefined =>
  /[+-]\d/.test(text) ? offsetZone(text) : namedZone(text.replace(/[()]/g, ''))

export const zoneRules: readonly Rule[] = [
  rule(ZONE, ({ zone = '' }, draft) => withZone(draft, zoneOf(zone))),
]

import { FixedOffsetZone, IANAZone, type Zone } from 'luxon'
import { withZone, rule, type Rule } from './draft.js'

/**
 * Hours east of UTC, as in PHP's `timezone_abbreviations_list()`, which decides between zones of one name. Old
 * offsets that are not a multiple of half an hour are left out.
 */
const NAMES_BY_HOURS: ReadonlyArray<{ hours: number; names: string }> = [
  { hours: -12, names: 'y' },
  { hours: -11, names: 'sst x' },
  { hours: -10, names: 'ahst bdt hst w' },
  { hours: -9.5, names: 'hdt hpt hwt' },
  { hours: -9, names: 'ahdt akst yst v' },
  { hours: -8, names: 'akdt pst ydt ypt ywt u' },
  { hours: -7, names: 'mst pdt ppt pwt yddt t' },
  { hours: -6, names: 'cst mdt mpt mwt pddt s' },
  { hours: -5, names: 'cdt cpt cwt est mddt r' },
  { hours: -4, names: 'ast cddt edt ept ewt q' },
  { hours: -3.5, names: 'nst' },
  { hours: -3, names: 'adt apt awt eddt p' },
  { hours: -2.5, names: 'ndt npt nwt' },
  { hours: -2, names: 'addt o' },
  { hours: -1.5, names: 'nddt' },
  { hours: -1, names: 'n' },
  { hours: 0, names: 'gmt uct utc wet z' },
  { hours: 1, names: 'bst cet met wat west a' },
  { hours: 2, names: 'bdst cat cest eet ist mest sast wast wemt b' },
  { hours: 3, names: 'cemt eat eest idt msk c' },
  { hours: 4, names: 'iddt msd d' },
  { hours: 5, names: 'pkt e' },
  { hours: 6, names: 'pkst f' },
  { hours: 7, names: 'wib g' },
  { hours: 8, names: 'awst hkt wita h' },
  { hours: 8.5, names: 'kst' },
  { hours: 9, names: 'awdt hkst jst wit i' },
  { hours: 9.5, names: 'acst cast' },
  { hours: 10, names: 'aest chst gst jdt kdt k' },
  { hours: 10.5, names: 'acdt' },
  { hours: 11, names: 'aedt gdt l' },
  { hours: 11.5, names: 'nzmt' },
  { hours: 12, names: 'nzst m' },
  { hours: 13, names: 'nzdt' },
]

const zoneAbbreviations: ReadonlyMap<string, number> = new Map(
  NAMES_BY_HOURS.flatMap(({ hours, names }) => names.split(' ').map((name) => [name, hours])),
)

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

import { IANAZone } from 'luxon'
import { calendarRules } from './calendar-rules.js'
import { clockRules } from './clock-rules.js'
import { EMPTY_DRAFT } from './draft.js'
import type { Draft } from './draft.js'
import { relativeRules } from './relative-rules.js'
import { resolveDraft } from './resolve-draft.js'
import { GAP, rule } from './rule.js'
import type { Rule } from './rule.js'
import { zoneRules } from './zone-rules.js'

const LONGEST_TEXT = 200

const separatorRule = rule(String.raw`[.,\n]|${GAP}`, (_found, draft) => draft)

/** Of two rules that match equally much the first one reads: "10.03.26" is a time, as in PHP. */
const RULES: readonly Rule[] = [
  ...relativeRules,
  ...clockRules,
  ...calendarRules,
  ...zoneRules,
  separatorRule,
]

/**
 * Reads a date and time as PHP 8.2's `strtotime` does
 * (https://www.php.net/manual/en/datetime.formats.php), or returns undefined.
 *
 * Text that names a zone keeps it; any other is read in `timezone`, an IANA name. "tomorrow 3pm"
 * and the like are relative to `now` as seen in `timezone`.
 *
 * Unlike PHP it
 * - keeps fractions of a second to the millisecond, and refuses dates that JavaScript has not,
 * - refuses blank text and more than 200 characters,
 * - refuses a zone before "@1767225600" and times that lack a digit ("20260310T14300"),
 * - knows neither the zones GB, NZ, PRC, ROC and ROK nor old ones like "LST", Riga's mean time,
 * - reads "Back of 7pm" as "back of 7pm", and takes "Mar 10 14.30.15", "20260310T14:30:00.5" and
 *   "2026-3-1T14:30:00.5".
 */
export function readDateTime(
  text: string,
  { timezone, now }: { timezone: string; now: Date },
): Date | undefined {
  if (text.length > LONGEST_TEXT) return undefined
  const trimmed = text.trim()
  const draft = trimmed === '' ? undefined : draftOf(trimmed)
  const instant = draft && resolveDraft(draft, { now, zone: IANAZone.create(timezone) })
  return instant && Number.isFinite(instant.getTime()) ? instant : undefined
}

function draftOf(text: string): Draft | undefined {
  let draft: Draft | undefined = EMPTY_DRAFT
  let position = 0
  while (draft && position < text.length) {
    const longest = longestMatch(text, position)
    draft = longest?.read(draft)
    position += longest?.length ?? 0
  }
  return draft
}

type Match = { length: number; read: (draft: Draft) => Draft | undefined }

function longestMatch(text: string, position: number): Match | undefined {
  let longest: Match | undefined
  for (const { pattern, read } of RULES) {
    pattern.lastIndex = position
    const match = pattern.exec(text)
    if (match && match[0].length > (longest?.length ?? 0)) {
      longest = { length: match[0].length, read: (draft) => read(match.groups ?? {}, draft) }
    }
  }
  return longest
}

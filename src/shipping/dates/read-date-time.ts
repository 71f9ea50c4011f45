import { IANAZone } from 'luxon'
import { dateAndTimeRules } from './date-and-time-rules.js'
import { EMPTY_DRAFT, type Draft, GAP, rule, type Rule } from './draft.js'
import { relativeRules } from './relative-rules.js'
import { resolveDraft } from './resolve-draft.js'
import { zoneRules } from './zone-rules.js'

const LONGEST_TEXT = 200

const separatorRule = rule(String.raw`[.,\n]|${GAP}`, (_found, draft) => draft)

/** If two rules match equally long texts, the first rule wins: "10.03.26" is a time, as in PHP. */
const RULES: readonly Rule[] = [...relativeRules, ...dateAndTimeRules, ...zoneRules, separatorRule]

/**
 * Reads a date and time as PHP 8.2's `strtotime` does
 * (https://www.php.net/manual/en/datetime.formats.php), or returns undefined.
 *
 * A text that names a zone is read in that zone, any other text in `timezone`, an IANA name. Relative
 * texts, such as "tomorrow 3pm", start from `now` in `timezone`.
 *
 * Unlike PHP it
 * - keeps fractions of a second to the millisecond, and refuses dates that JavaScript does not have,
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

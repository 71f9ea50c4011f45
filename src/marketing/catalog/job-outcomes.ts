import type { CatalogKind, EntryError } from '../klaviyo/catalog.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'

/** An entry of a job that Klaviyo has answered, in the order of the job. */
export interface JobEntry {
  id: string
  kind: CatalogKind
  tries: number
  size: number
}

/** What becomes of an entry. `again`: Klaviyo is asked what it has, and the entry goes again if need be. */
export type EntryOutcome =
  | { is: 'done' }
  | { is: 'again'; tries: number; size: number }
  | { is: 'refused'; tries: number; error: KlaviyoError }

/**
 * The first refusal may only say that something was created, or deleted, before: Klaviyo is asked. The second one counts.
 */
const triesAtMost = 2

/** Klaviyo's words for a category that is there already. Nothing lists the categories, so nobody can ask. */
const isThereAlready = ({ code, detail }: KlaviyoError): boolean =>
  /duplicate|conflict|already exists/i.test(`${code} ${detail}`)

const noReason: KlaviyoError = { code: 'UNEXPECTED', detail: 'Klaviyo did not say why.' }

/**
 * One outcome for each entry, in their order.
 *
 * @param failed How many entries Klaviyo did not take. When the errors name fewer, nobody knows about the others.
 * @param isWhole Whether Klaviyo took none because of those that the errors name.
 */
export function jobOutcomes(
  entries: readonly JobEntry[],
  {
    failed,
    errors,
    isWhole = false,
  }: { failed: number; errors: readonly EntryError[]; isWhole?: boolean },
): EntryOutcome[] {
  const blamed = new Map(
    errors.flatMap(({ place, error }) =>
      place !== undefined && place < entries.length ? [[place, error] as const] : [],
    ),
  )
  if (entries.length === 1 && failed > 0 && blamed.size === 0)
    blamed.set(0, errors[0]?.error ?? noReason)
  const isKnown = blamed.size >= failed || (isWhole && blamed.size > 0)
  return entries.map((entry, place): EntryOutcome => {
    const error = blamed.get(place)
    if (error !== undefined) return refusal(entry, error)
    if (isKnown)
      return isWhole ? { is: 'again', tries: entry.tries, size: entry.size } : { is: 'done' }
    return { is: 'again', tries: entry.tries, size: Math.ceil(entry.size / 10) }
  })
}

function refusal({ kind, tries, size }: JobEntry, error: KlaviyoError): EntryOutcome {
  if (kind === 'category') {
    return isThereAlready(error) ? { is: 'done' } : { is: 'refused', tries: 1, error }
  }
  return tries + 1 < triesAtMost
    ? { is: 'again', tries: tries + 1, size }
    : { is: 'refused', tries: tries + 1, error }
}

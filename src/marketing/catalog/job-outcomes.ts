import { isThereAlready, noReason, type EntryError } from '../klaviyo/bulk-jobs.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import { jobEntriesAtMost, type StoredEntry } from './catalog-rows.js'

type JobEntry = Pick<StoredEntry, 'id' | 'kind' | 'tries' | 'size'>

/** What becomes of an entry. `ask`: Klaviyo is asked what it has, and the entry goes again if need be. */
export interface Settled extends Pick<JobEntry, 'id' | 'tries' | 'size'> {
  /** Null after a question. */
  job: string | null
  state: 'done' | 'ask' | 'refused'
  /** Klaviyo's, as JSON. */
  error: string | null
}

/**
 * The first refusal may only say that something was created, or deleted, before: Klaviyo is asked. The second one counts.
 */
const triesAtMost = 2

/**
 * One for each entry, in their order.
 *
 * @param failed How many entries Klaviyo did not take. When the errors name fewer, nobody knows about the others.
 * @param isWhole Whether Klaviyo took none because of those that the errors name.
 */
export function jobOutcomes(
  entries: readonly JobEntry[],
  {
    job,
    failed,
    errors,
    isWhole = false,
  }: { job: string | null; failed: number; errors: readonly EntryError[]; isWhole?: boolean },
): Settled[] {
  const blamed = new Map(
    errors.flatMap(({ place, error }) =>
      place !== undefined && place < entries.length ? [[place, error] as const] : [],
    ),
  )
  if (entries.length === 1 && failed > 0 && blamed.size === 0)
    blamed.set(0, errors[0]?.error ?? noReason)
  const isKnown = blamed.size >= failed || (isWhole && blamed.size > 0)
  return entries.map((entry, place): Settled => {
    const { id, tries, size } = entry
    const error = blamed.get(place)
    const own = { id, job, size, error: null }
    if (error !== undefined) return { ...own, ...refusal(entry, error) }
    if (!isKnown) return { ...own, state: 'ask', tries, size: Math.ceil(size / 10) }
    return isWhole
      ? { ...own, state: 'ask', tries }
      : { ...own, state: 'done', tries: 0, size: jobEntriesAtMost }
  })
}

function refusal(
  { kind, tries }: JobEntry,
  error: KlaviyoError,
): Pick<Settled, 'state' | 'tries' | 'error'> {
  const isCategory = kind === 'category'
  // Nothing lists the categories, so nobody can ask.
  if (isCategory && isThereAlready(error)) return { state: 'done', tries: 0, error: null }
  if (!isCategory && tries + 1 < triesAtMost) return { state: 'ask', tries: tries + 1, error: null }
  return { state: 'refused', tries: tries + 1, error: JSON.stringify(error) }
}

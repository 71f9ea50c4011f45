import type { KlaviyoError } from '../klaviyo/call-answer.js'
import { isThereAlready, noReason, type EntryError } from '../klaviyo/bulk-jobs.js'

/** What became of a code of a job. */
export interface CodeOutcome {
  id: string
  state: 'due' | 'there' | 'refused'
  /** Klaviyo's, as JSON. */
  error: string | null
}

/**
 * One for each code, in their order. A code that is refused although Klaviyo has it is found to be there when it goes
 * again.
 *
 * @param failed How many codes Klaviyo did not take. When the errors name fewer, all others count as refused.
 * @param isWhole Whether Klaviyo took none because of those that the errors name.
 */
export function codeOutcomes(
  codes: readonly string[],
  {
    failed,
    errors,
    isWhole = false,
  }: { failed: number; errors: readonly EntryError[]; isWhole?: boolean },
): CodeOutcome[] {
  const named = new Map(
    errors.flatMap(({ place, error }) => (place === undefined ? [] : [[place, error]])),
  )
  const [general] = errors
  const otherwise = isWhole
    ? outcomeOf(named.size > 0 ? undefined : general?.error, 'due')
    : outcomeOf(failed > named.size ? (general?.error ?? noReason) : undefined, 'there')
  return codes.map((id, place) => {
    const error = named.get(place)
    return { id, ...(error === undefined ? otherwise : outcomeOf(error, 'there')) }
  })
}

const outcomeOf = (
  error: KlaviyoError | undefined,
  state: 'due' | 'there',
): Pick<CodeOutcome, 'state' | 'error'> =>
  error === undefined || isThereAlready(error)
    ? { state: error === undefined ? state : 'there', error: null }
    : { state: 'refused', error: JSON.stringify(error) }

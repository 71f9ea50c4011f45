import type { Failure } from '../../../marketing/delivery/failures.js'
import { klaviyoErrorText } from '../../../marketing/klaviyo/klaviyo-error-text.js'
import type { Words } from '../words.js'

/** Why sends failed: in words, and by the code. */
export const FailureReason = ({ failure, words }: { failure: Failure; words: Words }) => (
  <>
    {klaviyoErrorText(failure.sample, words.translate)} <code>{failure.reason || '–'}</code>
  </>
)

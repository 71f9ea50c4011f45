import type { Failure } from '../../../marketing/delivery/failures.js'
import { platformErrorText } from '../../../marketing/klaviyo/platform-error-text.js'
import type { Words } from '../words.js'

/** Why sends failed: in words, and by the code. */
export const FailureReason = ({ failure, words }: { failure: Failure; words: Words }) => (
  <>
    {platformErrorText(failure.sample, words.translate)} <code>{failure.reason || '–'}</code>
  </>
)

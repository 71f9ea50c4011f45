import type { MissingProductField, Overview } from '../../overview.js'
import { readDetails, readFacts, type FactParts } from './read-overview.js'
import { resendReason } from './resend-reason.js'

interface OverviewParts extends FactParts {
  /** Looks again at skipped orders that were changed since. */
  recheck: () => Promise<void>
  missingProductFields: readonly MissingProductField[]
  /** Has what is resent delivered at once. */
  wake: () => void
  now: () => Date
}

/** The merchant's page on the store's database. */
export function createOverview(overview: OverviewParts): Overview {
  const { recheck, wake, now, missingProductFields, ...parts } = overview
  const { sends } = parts
  return {
    missingProductFields,
    async facts() {
      await recheck()
      return readFacts(parts)
    },
    details: () => readDetails(sends, now()),
    async resend(code) {
      const count = await resendReason(sends, code, now())
      if (count > 0) wake()
      return count
    },
  }
}

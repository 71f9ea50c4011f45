import type { Overview } from '../../overview.js'
import type { PlatformVisits } from '../../platform-visits.js'
import type { Database } from '../database.js'
import { sendTable } from '../outbox/send-table.js'
import { readOverview } from './read-overview.js'
import { resendReason } from './resend-reason.js'

/** The merchant's page on the store's database. `wake` has what is resent delivered at once. */
export function createOverview(
  database: Database,
  { visits, wake, now }: { visits: PlatformVisits; wake: () => void; now: () => Date },
): Overview {
  const sends = sendTable(database)
  return {
    read: () => readOverview(sends, visits, now()),
    async resend(code) {
      const count = await resendReason(sends, code, now())
      if (count > 0) wake()
      return count
    },
  }
}

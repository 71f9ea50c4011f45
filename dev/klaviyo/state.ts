import type { Account } from './account.ts'
import type { CallName } from './calls.ts'
import type { FaultKind } from './faults.ts'
import type { StoredProfile } from './stored.ts'

/** One call as it arrived. */
export interface CallRecord {
  name: CallName
  at: number
  /** HTTP status; 0 when the connection was lost or left to hang. */
  status: number
  /** Events, profiles or ids in the body. */
  items: number
  bytes: number
  fault: FaultKind | undefined
  /** The id of the request, which its answer carries. */
  requestId: string
}

/** The account as somebody sees it who looks now. Nothing here is to be changed. */
export const readableState = ({
  account,
  records,
  runDue,
}: {
  account: Account
  records: readonly CallRecord[]
  runDue: () => void
}) => ({
  /** By id. */
  get profiles() {
    runDue()
    return account.book.profiles as ReadonlyMap<string, StoredProfile>
  },
  profileByEmail(email: string) {
    runDue()
    return account.book.by('email', email)
  },
  /** In the order they were recorded. */
  get events() {
    runDue()
    return account.events as readonly Account['events'][number][]
  },
  get lists() {
    runDue()
    return account.lists
  },
  /** Messages that ask for a confirmation, by id. */
  get confirmations() {
    runDue()
    return account.confirmations
  },
  /** What was done to it, and what it holds. */
  get catalog() {
    runDue()
    return account.catalog
  },
  /** The coupons and their codes, and what a flow does with them. */
  get coupons() {
    runDue()
    return account.coupons
  },
  /** Who waits for what, or was told. */
  get waiting() {
    runDue()
    return account.waiting as readonly Account['waiting'][number][]
  },
  /** Everything done to profiles, in order. */
  get effects() {
    runDue()
    return account.effects as readonly Account['effects'][number][]
  },
  /** Every call to a known endpoint, in the order of arrival. */
  calls: records,
  /** How many calls were answered 429. */
  get throttled() {
    return records.filter(({ status }) => status === 429).length
  },
})

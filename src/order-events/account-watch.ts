import type { Clock } from '../delivery/clock.js'
import type { Step, Worker } from '../delivery/worker.js'
import type { PastChanges } from '../store/past-changes.js'

const lookEveryMs = 5_000

/** Each account is looked at a few times, as a change may be written after the moment that it bears. */
const overlapMs = 15_000

/**
 * Tells of accounts soon after their address was verified: Payload runs no hook then. Begins at the
 * present; what a process missed is the sweep's.
 */
export function createAccountWatch({
  accounts,
  clock,
}: {
  accounts: Pick<PastChanges, 'settleMs' | 'tellAccounts'>
  clock: Clock
}): Worker {
  let isLooking = false
  let nextAt = 0

  const look = async (now: number): Promise<void> => {
    const until = now - accounts.settleMs
    const from = { at: new Date(until - overlapMs), id: undefined }
    await accounts.tellAccounts(from, new Date(until))
  }

  return {
    name: 'account watch',
    next(): Promise<Step> {
      const now = clock.now().getTime()
      if (isLooking || now < nextAt) return Promise.resolve({ nextAt: new Date(nextAt) })
      isLooking = true
      nextAt = now + lookEveryMs
      const run = () => look(now).finally(() => (isLooking = false))
      return Promise.resolve({ run })
    },
  }
}

import type { Shop } from '../../core/shop.js'
import { createRest } from '../../core/workers/rest.js'
import type { Worker } from '../../core/workers/worker.js'
import type { StoredRun } from './history-table.js'
import type { HistoryWork } from './history-work.js'

/**
 * The worker stores no more events while this many wait. They fill four calls, which take 1.6 seconds at
 * Klaviyo's limit of 150 calls a minute, so the next call is always full.
 */
export const mostWaitingEvents = 4_000

/** How often the worker polls for a new run. */
const pollEveryMs = 2_000

/** How often the worker polls while too many events wait. */
const fullQueuePollEveryMs = 250

/** The pause after a step that failed, in case the database is overloaded. It doubles each time. */
const firstRetryMs = 1_000

/** The most tries of one step, in all processes together. */
const triesAtMost = 6
const longestRetryMs = firstRetryMs * 2 ** (triesAtMost - 2)

/** Stores past orders, page by page, as fast as Klaviyo accepts them. */
export function createHistoryWorker(shop: Shop, work: HistoryWork): Worker {
  const rest = createRest(shop)
  /** The retry moment, set by another process, for which this one has waited by its own clock. */
  let waitedFor = 0

  async function goOn(): Promise<void> {
    const stored = await work.current()
    const retryAt = stored?.cursor.retryAt ?? 0
    if (stored === undefined) rest.for(pollEveryMs)
    else if (retryAt > rest.now() && retryAt !== waitedFor) {
      waitedFor = retryAt
      rest.until(Math.min(retryAt, rest.now() + longestRetryMs))
    } else if ((await work.waitingEvents(mostWaitingEvents)) >= mostWaitingEvents) {
      rest.for(fullQueuePollEveryMs)
    } else await work.step(stored).catch((error: unknown) => note(error, stored))
  }

  /** Stores the failure with the run, since another process may make the next try. */
  async function note(error: unknown, stored: StoredRun): Promise<never> {
    const failures = (stored.cursor.failures ?? 0) + 1
    const retryAt = rest.now() + firstRetryMs * 2 ** (failures - 1)
    rest.until(retryAt)
    const noting =
      failures < triesAtMost ? work.putOff(stored, { failures, retryAt }) : work.giveUp(stored)
    await noting.catch((another: unknown) => {
      throw new AggregateError([error, another], 'A step failed, and that could not be noted.')
    })
    throw error
  }

  return {
    name: 'history',
    isLong: true,
    next: () => rest.next(goOn),
  }
}

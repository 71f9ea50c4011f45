import type { Clock } from '../delivery/clock.js'
import type { Step, Worker } from '../delivery/worker.js'
import type { StoredRun } from './history-table.js'
import type { HistoryWork } from './history-work.js'

/**
 * Events that may wait when more of the history are stored. They are four full calls, 1.6 seconds at
 * the platform's limit of 150 a minute: the next call is always full.
 */
export const eventsInLine = 4_000

/** How soon a run that was begun is seen. */
const lookEveryMs = 2_000

/** When to look again whether the line is shorter. */
const lineEveryMs = 250

/** After a step that failed the database may need a rest, twice as long each time. */
const firstRetryMs = 1_000

/** Of one step, by whichever processes. */
const triesAtMost = 6

/** Stores past orders, page by page, as fast as the platform takes them. */
export function createHistoryWorker({ work, clock }: { work: HistoryWork; clock: Clock }): Worker {
  let isWorking = false
  let restUntil = 0

  const now = () => clock.now().getTime()

  async function goOn(): Promise<void> {
    const stored = await work.current()
    const retryAt = stored?.place.retryAt ?? 0
    if (stored === undefined) restUntil = now() + lookEveryMs
    else if (retryAt > now()) restUntil = retryAt
    else if ((await work.waitingEvents(eventsInLine)) >= eventsInLine) {
      restUntil = now() + lineEveryMs
    } else await work.step(stored).catch((error: unknown) => note(error, stored))
  }

  /** Notes a failure with the run, as the next process knows nothing of this one. */
  async function note(error: unknown, stored: StoredRun): Promise<never> {
    const failures = (stored.place.failures ?? 0) + 1
    restUntil = now() + firstRetryMs * 2 ** (failures - 1)
    const noting =
      failures < triesAtMost
        ? work.putOff(stored, { failures, retryAt: restUntil })
        : work.giveUp(stored)
    await noting.catch((another: unknown) => {
      throw new AggregateError([error, another], 'A step failed, and that could not be noted.')
    })
    throw error
  }

  return {
    name: 'history',
    next(): Promise<Step> {
      if (isWorking) return Promise.resolve({ nextAt: undefined })
      if (now() < restUntil) return Promise.resolve({ nextAt: new Date(restUntil) })
      isWorking = true
      return Promise.resolve({ run: () => goOn().finally(() => (isWorking = false)) })
    },
  }
}

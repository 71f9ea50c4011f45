import type { Clock } from '../delivery/clock.js'
import type { Step, Worker } from '../delivery/worker.js'
import type { HistoryClaim, HistoryWork } from '../store/history.js'

/**
 * Events that may wait when more of the history are stored. They are four full calls, 1.6 seconds at
 * the platform's limit of 150 a minute: no event of now waits longer because of them, and the next
 * call is always full.
 */
export const eventsInLine = 4_000

/** How soon a run that was begun elsewhere is seen. */
const lookEveryMs = 2_000

/** When to look again whether the line is shorter. */
const lineEveryMs = 250

/** The database may need a rest, longer each time. */
const firstRetryMs = 1_000
const triesAtMost = 6

/** What a merchant reads; the log says more. */
const givenUp = 'The orders could not be read, or their events not be stored. The log says why.'

/** Tells past orders, page by page, as fast as the platform takes them. */
export function createHistoryWorker({ work, clock }: { work: HistoryWork; clock: Clock }): Worker {
  let claim: HistoryClaim | undefined
  let isWorking = false
  let restUntil = 0
  let failures = 0

  const now = () => clock.now().getTime()

  const goOn = async (): Promise<void> => {
    if (claim === undefined) {
      claim = await work.claim()
      if (claim === undefined) restUntil = now() + lookEveryMs
    } else if (!(await work.step(claim))) {
      claim = undefined
    }
    failures = 0
  }

  const failed = async (error: unknown): Promise<never> => {
    failures += 1
    restUntil = now() + firstRetryMs * 2 ** (failures - 1)
    if (failures >= triesAtMost && claim !== undefined) {
      await work.giveUp(claim, givenUp)
      claim = undefined
      failures = 0
    }
    throw error
  }

  return {
    name: 'history',
    async next(): Promise<Step> {
      if (isWorking) return { nextAt: undefined }
      if (now() < restUntil) return { nextAt: new Date(restUntil) }
      // The calls that make room in the line wake everybody.
      if (claim !== undefined && (await work.waitingEvents(eventsInLine)) >= eventsInLine) {
        return { nextAt: new Date(now() + lineEveryMs) }
      }
      isWorking = true
      return {
        run: () =>
          goOn()
            .catch(failed)
            .finally(() => (isWorking = false)),
      }
    },
  }
}

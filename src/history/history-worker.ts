import type { Clock } from '../delivery/clock.js'
import type { Step, Worker } from '../delivery/worker.js'
import type { HistoryClaim, HistoryWork } from './history-run.js'

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
const longestRetryMs = 30_000

/** Of one step, in whosever hands the run is. */
const triesAtMost = 6

/** Tells past orders, page by page, as fast as the platform takes them. */
export function createHistoryWorker({ work, clock }: { work: HistoryWork; clock: Clock }): Worker {
  let claim: HistoryClaim | undefined
  let isWorking = false
  let restUntil = 0
  /** Of this process in a row. The run counts its own, but cannot while the database is away. */
  let failures = 0

  const now = () => clock.now().getTime()

  const goOn = async (): Promise<void> => {
    if (claim === undefined) {
      claim = await work.claim()
      if (claim === undefined) restUntil = now() + lookEveryMs
    } else {
      claim = (await work.step(claim)) ? { ...claim, failures: 0 } : undefined
    }
    failures = 0
  }

  const failed = async (error: unknown): Promise<never> => {
    failures += 1
    restUntil = now() + retryMs(failures)
    if (claim !== undefined) {
      await letGo(claim).catch((another: unknown) => {
        throw new AggregateError([error, another], 'A step failed, and that could not be noted.')
      })
      claim = undefined
    }
    throw error
  }

  /** Noted with the run, as the next process knows nothing of this one. */
  const letGo = async (held: HistoryClaim): Promise<void> => {
    const tries = held.failures + 1
    if (tries >= triesAtMost) return work.giveUp(held)
    const at = now() + retryMs(tries)
    await work.putOff(held, { failures: tries, at: new Date(at) })
    restUntil = at
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

const retryMs = (failures: number): number =>
  Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1))

import type { Log } from '../store/log.js'
import type { Clock } from './clock.js'
import type { Drain } from './drain.js'
import { createWakeUp } from './wake-up.js'
import { runsAtOnce, type Step, type Worker } from './worker.js'

/** Runs the delivery: as a loop in a long-running server, or until idle by Payload's task. */
export interface DeliveryLoop {
  /** Begins to deliver, until `stop`. Harmless twice. */
  start(): void
  /** Something was stored: look at once. Does nothing while the loop is stopped. */
  wake: () => void
  /** Begins nothing new and waits for the calls under way, ten seconds at most. */
  stop(): Promise<void>
  /** Delivers what is due before the deadline; for a process that does not keep running. */
  runUntilIdle(options: { deadline: Date }): Promise<void>
}

export interface DeliveryLoopParts {
  drain: Drain
  clock: Clock
  log: Log
}

/** Other processes store sends too, and wake only their own loop. */
const lookEveryMs = 1_000

/** Looks at sends that have to wait for a slot or for company are this far apart. */
const leastWaitMs = 50

/** The wait after an error of the database, doubled each time. */
const firstErrorWaitMs = 1_000
const longestErrorWaitMs = 30_000

/** Longer than any call takes. */
const longestStopMs = 10_000

/** A task waits for what falls due so soon; the next task takes care of the rest. */
const idleAfterMs = 5_000

export function createDeliveryLoop({ drain, clock, log }: DeliveryLoopParts): DeliveryLoop {
  let tenders: Tender[] = []
  const wakeAll = () => tenders.forEach(({ wake }) => wake())

  return {
    start() {
      if (tenders.length > 0) return
      tenders = drain.workers.map((worker) => tend(worker, { clock, log, wakeAll }))
    },
    wake: wakeAll,
    async stop() {
      const stopping = tenders
      tenders = []
      const ended = Promise.all(stopping.map((tender) => tender.stop()))
      await createWakeUp().wait(longestStopMs, [ended])
    },
    async runUntilIdle({ deadline }) {
      const pause = createWakeUp()
      while (clock.now() < deadline) {
        const { didWork, nextAt } = await drain.pass()
        if (didWork) continue
        const waitMs =
          nextAt === undefined ? idleAfterMs + 1 : nextAt.getTime() - clock.now().getTime()
        if (waitMs > idleAfterMs || (nextAt && nextAt >= deadline)) return
        await pause.wait(Math.max(1, waitMs))
      }
    },
  }
}

interface Tender {
  wake: () => void
  stop(): Promise<void>
}

interface TenderParts {
  clock: Clock
  log: Log
  wakeAll: () => void
}

/** Has one worker do what there is, again and again. */
function tend(worker: Worker, { clock, log, wakeAll }: TenderParts): Tender {
  const wakeUp = createWakeUp({ isBackground: true })
  const rest = createWakeUp({ isBackground: true })
  const running = new Set<Promise<void>>()
  let isStopped = false
  let errors = 0

  const failed = (error: unknown): void =>
    log.error({ err: error, part: worker.name }, 'The delivery failed, and goes on')

  const begin = (run: () => Promise<void>): void => {
    const ended: Promise<void> = run()
      .catch(failed)
      .finally(() => {
        running.delete(ended)
        // A send that is over may let others go, in any lane.
        wakeAll()
      })
    running.add(ended)
  }

  const look = async (): Promise<Step | undefined> => {
    try {
      const step = await worker.next()
      errors = 0
      return step
    } catch (error) {
      errors += 1
      failed(error)
      return undefined
    }
  }

  const pauseUntil = async (nextAt: Date | undefined): Promise<void> => {
    const waitMs = (nextAt?.getTime() ?? Number.POSITIVE_INFINITY) - clock.now().getTime()
    // What waits for a slot or for company is not helped by each wake: it is looked at now and then.
    if (waitMs < lookEveryMs) await rest.wait(Math.min(leastWaitMs, waitMs))
    await wakeUp.wait(Math.max(0, Math.min(lookEveryMs, waitMs - leastWaitMs)))
  }

  const loop = async (): Promise<void> => {
    while (!isStopped) {
      const step = running.size < runsAtOnce ? await look() : undefined
      if (step === undefined && errors === 0) await Promise.race(running)
      else if (step === undefined) await rest.wait(errorWaitMs(errors))
      else if ('run' in step) begin(step.run)
      else await pauseUntil(step.nextAt)
    }
    await Promise.all(running)
  }
  // Not before the caller has it, so that its first look can be woken.
  const ended = Promise.resolve().then(loop)
  return {
    wake: wakeUp.wake,
    stop() {
      isStopped = true
      rest.wake()
      wakeUp.wake()
      return ended
    },
  }
}

const errorWaitMs = (errors: number): number =>
  Math.min(longestErrorWaitMs, firstErrorWaitMs * 2 ** (errors - 1))

import type { Log } from '../store/log.js'
import type { Clock } from './clock.js'
import type { Deliverer } from './deliverer.js'
import type { Listening, Notifications } from './notifications.js'
import { createWakeUp } from './wake-up.js'
import { runToEnd, runWorker, type Step, type Worker } from './worker.js'

export interface DeliveryLoopParts {
  deliverer: Deliverer
  /** What else is done while this process has the lease. */
  workers: readonly Worker[]
  notifications: Notifications
  clock: Clock
  log: Log
}

/** Longer than any call takes. */
const longestStopMs = 10_000

/** A task waits for what falls due so soon; the next task takes care of the rest. */
const idleAfterMs = 5_000

/** Runs the delivery: as a loop in a long-running server, or until idle by Payload's task. */
export function createDeliveryLoop(parts: DeliveryLoopParts) {
  const { deliverer, workers, notifications, clock, log } = parts
  let running: ReturnType<typeof runWorker>[] = []
  /** While this process has the lease. */
  let listening: Listening | undefined
  let end: (() => Promise<void>) | undefined

  const beginWork = (): void => {
    listening = notifications.listen(wake)
    running = workers.map((worker) => runWorker(worker, { clock, log }))
  }

  const endWork = async (): Promise<void> => {
    const ending = listening
    listening = undefined
    await Promise.all([ending?.end(), ...running.splice(0).map((worker) => worker.stop())])
  }

  const look = async (): Promise<Step> => {
    const found = await deliverer.look()
    if (found === undefined) await endWork()
    else if (listening === undefined) beginWork()
    const nextAt = found !== undefined && found.begun > 0 ? 0 : found?.nextAt
    return { nextAt: nextAt === undefined ? undefined : new Date(nextAt) }
  }

  const wake = (): void => {
    deliverer.wake()
    for (const worker of running) worker.wake()
  }

  return {
    /** Begins to deliver, until `stop`. Harmless twice. */
    start(): void {
      if (end !== undefined) return
      const sends = runWorker({ name: 'sends', next: look }, { clock, log }, deliverer)
      end = async () => {
        await sends.stop()
        await endWork()
        await deliverer.giveBack()
      }
    },

    /** Something was stored: look at once. */
    wake(): void {
      wake()
      if (listening === undefined) notifications.send()
    },

    /** Begins nothing new and waits for the calls under way, ten seconds at most. */
    async stop(): Promise<void> {
      const timeout = createWakeUp()
      const ended = end?.().finally(timeout.wake)
      end = undefined
      if (ended !== undefined) await Promise.race([ended, timeout.wait(longestStopMs)])
    },

    /** Delivers what is due before the deadline; for a process that does not keep running. */
    async runUntilIdle({ deadline }: { deadline: Date }): Promise<void> {
      const pause = createWakeUp()
      try {
        while (clock.now() < deadline) {
          if (!(await deliverer.take())) return
          await runToEnd(workers, { clock, log, deadline })
          const found = await deliverer.look()
          if (found === undefined) return
          if (found.isBusy) {
            await deliverer.oneEnded()
            continue
          }
          const waitMs = (found.nextAt ?? Number.POSITIVE_INFINITY) - clock.now().getTime()
          if (waitMs > idleAfterMs || clock.now().getTime() + waitMs >= deadline.getTime()) return
          await pause.wait(Math.max(1, waitMs))
        }
      } finally {
        await deliverer.giveBack()
      }
    },
  }
}

export type DeliveryLoop = ReturnType<typeof createDeliveryLoop>

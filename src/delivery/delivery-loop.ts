import type { Log } from '../store/log.js'
import type { Clock } from './clock.js'
import type { Deliverer } from './deliverer.js'
import type { Notifications } from './notifications.js'
import { createWakeUp, type WakeUp } from './wake-up.js'
import { errorWaitMs, runToEnd, runWorker, type RunningWorker, type Worker } from './worker.js'

/** Runs the delivery: as a loop in a long-running server, or until idle by Payload's task. */
export interface DeliveryLoop {
  /** Begins to deliver, until `stop`. Harmless twice. */
  start(): void
  /** Something was stored: look at once. */
  wake: () => void
  /** Begins nothing new and waits for the calls under way, ten seconds at most. */
  stop(): Promise<void>
  /** Delivers what is due before the deadline; for a process that does not keep running. */
  runUntilIdle(options: { deadline: Date }): Promise<void>
}

export interface DeliveryLoopParts {
  deliverer: Deliverer
  /** What else is done while this process has the lease. */
  workers: readonly Worker[]
  /** Wakes the loop, as the deliverer does when a call has ended. */
  wakeUp: WakeUp
  notifications: Notifications
  clock: Clock
  log: Log
}

/** Other processes store sends too, and not every database says so. */
const lookEveryMs = 1_000

/** Looks at what keeps coming are this far apart. */
const leastWaitMs = 20

/** Longer than any call takes. */
const longestStopMs = 10_000

/** A task waits for what falls due so soon; the next task takes care of the rest. */
const idleAfterMs = 5_000

export function createDeliveryLoop(parts: DeliveryLoopParts): DeliveryLoop {
  const { deliverer, workers, wakeUp, notifications, clock, log } = parts
  let running: RunningWorker[] = []
  let loop: { ended: Promise<void> } | undefined
  let isDelivering = false

  const waitUntil = async (nextAt: number | undefined): Promise<void> => {
    const waitMs = (nextAt ?? Number.POSITIVE_INFINITY) - clock.now().getTime()
    await wakeUp.wait(Math.max(1, Math.min(lookEveryMs, waitMs)))
  }

  const startWorkers = (): void => {
    if (running.length > 0) return
    running = workers.map((worker) => runWorker(worker, { clock, log, onRun: wakeUp.wake }))
  }
  const stopWorkers = async (): Promise<void> => {
    const stopping = running
    running = []
    await Promise.all(stopping.map((worker) => worker.stop()))
  }

  const deliver = async (isStopped: () => boolean): Promise<void> => {
    const listening = notifications.listen(wake)
    let errors = 0
    let lookedAt = Number.NEGATIVE_INFINITY
    while (!isStopped()) {
      const restMs = leastWaitMs - (performance.now() - lookedAt)
      if (restMs > 0) await pauseMs(restMs)
      lookedAt = performance.now()
      try {
        const look = await deliverer.look()
        errors = 0
        isDelivering = look !== undefined
        if (isDelivering) startWorkers()
        else await stopWorkers()
        if (look === undefined || look.begun === 0) await waitUntil(look?.nextAt)
      } catch (error) {
        errors += 1
        log.error({ err: error }, 'The delivery failed, and goes on')
        await wakeUp.wait(errorWaitMs(errors))
      }
    }
    await listening.end()
    await stopWorkers()
    await deliverer.giveBack()
    isDelivering = false
    notifications.send()
  }

  function wake(): void {
    deliverer.wake()
    wakeUp.wake()
    for (const worker of running) worker.wake()
  }

  return {
    start() {
      if (loop !== undefined) return
      const own = { ended: Promise.resolve() }
      loop = own
      own.ended = Promise.resolve().then(() => deliver(() => loop !== own))
    },
    wake() {
      wake()
      if (!isDelivering) notifications.send()
    },
    async stop() {
      const stopping = loop
      loop = undefined
      wakeUp.wake()
      if (stopping !== undefined) await createWakeUp().wait(longestStopMs, [stopping.ended])
    },
    async runUntilIdle({ deadline }) {
      const pause = createWakeUp()
      try {
        while (clock.now() < deadline) {
          if (!(await deliverer.take())) return
          await runToEnd(workers, { clock, log, deadline })
          const look = await deliverer.look()
          if (look === undefined) return
          if (look.isBusy) {
            await deliverer.oneEnded()
            continue
          }
          const waitMs = (look.nextAt ?? Number.POSITIVE_INFINITY) - clock.now().getTime()
          if (waitMs > idleAfterMs || clock.now().getTime() + waitMs >= deadline.getTime()) return
          await pause.wait(Math.max(1, waitMs))
        }
      } finally {
        await deliverer.giveBack()
      }
    },
  }
}

const pauseMs = (ms: number) => createWakeUp({ isBackground: true }).wait(ms)

import type { Shop } from '../shop.js'
import {
  catchUpFeeds,
  isFeed,
  runToEnd,
  runWorker,
  type Step,
  type Worker,
} from '../workers/worker.js'
import type { Deliverer } from './deliverer.js'
import type { Listening, Notifications } from './notifications.js'
import { createWakeUp } from '../workers/wake-up.js'

interface DeliveryLoopSetup {
  deliverer: Deliverer
  /** Other work to do while this process has the lease. Called when it begins. */
  workers: () => readonly Worker[]
  notifications: Notifications
  /** Stores what is still in memory before the loop stops. */
  flush: () => Promise<void>
}

/** Longer than any call takes. */
const longestStopMs = 10_000

/** A task waits only for what becomes due this soon. The next task does the rest. */
const idleAfterMs = 5_000

/** Runs the delivery: in a loop, or from Payload's task until nothing is due. */
export function createDeliveryLoop(shop: Shop, setup: DeliveryLoopSetup) {
  const { effects, waits, log } = shop
  const { deliverer, workers, notifications, flush } = setup
  let running: ReturnType<typeof runWorker>[] = []
  /** The feeds of a process that does not deliver and whose clock is behind: it finds its own changes. */
  let ownFeeds: ReturnType<typeof runWorker>[] = []
  /** Set while this process has the lease. */
  let listening: Listening | undefined
  let end: (() => Promise<void>) | undefined

  /** They find changes by the time at which these were saved. */
  const feeds = () => workers().filter(isFeed)

  const run = (all: readonly Worker[]) => all.map((worker) => runWorker(worker, shop))

  const beginWork = (): void => {
    listening = notifications.listen(wake)
    running = run(workers())
  }

  const runOwnFeeds = async (isBehind: boolean): Promise<void> => {
    if (isBehind && ownFeeds.length === 0) ownFeeds = run(feeds())
    else if (!isBehind) await Promise.all(ownFeeds.splice(0).map((worker) => worker.stop()))
  }

  const endWork = async (): Promise<void> => {
    const ending = listening
    listening = undefined
    await Promise.all([ending?.end(), ...running.splice(0).map((worker) => worker.stop())])
  }

  const pollOnce = async (): Promise<Step> => {
    const found = await deliverer.poll()
    await runOwnFeeds(found === undefined && deliverer.isBehind())
    if (found === undefined) await endWork()
    else if (listening === undefined) beginWork()
    const nextAt = found !== undefined && found.begun > 0 ? 0 : found?.nextAt
    return { nextAt: nextAt === undefined ? undefined : new Date(nextAt) }
  }

  const wake = (): void => {
    deliverer.wake()
    for (const worker of [...running, ...ownFeeds]) worker.wake()
  }

  return {
    /** Begins to deliver, until `stop`. A second call does nothing. */
    start(): void {
      if (end !== undefined) return
      const sends = runWorker({ name: 'sends', next: pollOnce }, shop, deliverer)
      end = async () => {
        await sends.stop()
        await runOwnFeeds(false)
        await endWork()
        await deliverer.giveBack()
      }
    },

    /** Reports that something was stored, so that it is delivered at once. */
    wake(): void {
      wake()
      if (listening === undefined) notifications.send()
    },

    /** Begins no new calls and waits for the calls under way, for ten seconds at most. */
    async stop(): Promise<void> {
      await flush()
      const timeout = createWakeUp(effects)
      const ended = end?.().finally(timeout.wake)
      end = undefined
      if (ended !== undefined) await Promise.race([ended, timeout.wait(longestStopMs)])
    },

    /** Delivers what is due before the deadline, for a process that does not keep running. */
    async runUntilIdle({ deadline }: { deadline: Date }): Promise<void> {
      const end = new Date(waits.now().getTime() + deadline.getTime() - effects.now().getTime())
      await catchUpFeeds(feeds(), { deadline, log })
      const pause = createWakeUp(effects)
      try {
        while (waits.now() < end) {
          if (!(await deliverer.take({ isPatient: true }))) return
          await runToEnd(workers(), shop, end)
          const found = await deliverer.poll()
          if (found === undefined) return
          if (found.isBusy) {
            await deliverer.oneEnded()
            continue
          }
          const now = waits.now().getTime()
          const waitMs = (found.nextAt ?? Number.POSITIVE_INFINITY) - now
          if (waitMs > idleAfterMs || now + waitMs >= end.getTime()) return
          await pause.wait(Math.max(1, waitMs))
        }
      } finally {
        await deliverer.giveBack()
      }
    },
  }
}

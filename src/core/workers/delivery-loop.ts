import type { Shop } from '../shop.js'
import { catchUpFeeds, isFeed, runToEnd, runWorker, type Step, type Worker } from './worker.js'
import { longestCallMs, type Deliverer } from './deliverer.js'
import type { DeliveryMode } from './delivery-mode.js'
import type { Listening, Notifications } from './notifications.js'
import { createWakeUp, sleep } from '../effects.js'

interface DeliveryLoopSetup {
  mode: DeliveryMode
  deliverer: Deliverer
  /** Other work to do while this process has the lease. Called when it begins. */
  workers: () => readonly Worker[]
  notifications: Notifications
  /** Stores what is still in memory before the loop stops. */
  flush: () => Promise<void>
}

/** Longer than any call takes. */
const longestStopMs = 10_000

/** A run waits only for what becomes due this soon. The next one does the rest. */
const idleAfterMs = 5_000

/** A run begins no call that could not end, and be noted, before its deadline. */
const lastCallMs = longestCallMs + 1_000

/** Runs the delivery: in a loop, or until nothing is due. */
export function createDeliveryLoop(shop: Shop, setup: DeliveryLoopSetup) {
  const { effects, waits, log } = shop
  const { mode, deliverer, workers, notifications, flush } = setup
  let running: ReturnType<typeof runWorker>[] = []
  /** The feeds of a process that does not deliver and whose clock is behind: it finds its own changes. */
  let ownFeeds: ReturnType<typeof runWorker>[] = []
  /** Set while this process has the lease. */
  let listening: Listening | undefined
  let end: (() => Promise<void>) | undefined

  /** They find changes by the time at which these were saved. */
  const feeds = () => workers().filter(isFeed)

  const start = (all: readonly Worker[]) => all.map((worker) => runWorker(worker, shop))

  const beginWork = (): void => {
    listening = notifications.listen(wake)
    running = start(workers())
  }

  const runOwnFeeds = async (isBehind: boolean): Promise<void> => {
    if (isBehind && ownFeeds.length === 0) ownFeeds = start(feeds())
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

  /** Two runs of a process at once would give back each other's lease. */
  let lastRun: Promise<unknown> = Promise.resolve()

  async function run(deadline: Date): Promise<boolean> {
    const end = new Date(
      waits.now().getTime() + deadline.getTime() - effects.now().getTime() - lastCallMs,
    )
    await catchUpFeeds(feeds(), { deadline, log })
    const pause = createWakeUp(effects)
    try {
      while (waits.now() < end) {
        if (!(await deliverer.take({ patientUntil: end }))) return false
        await runToEnd(workers(), shop, end)
        const found = await deliverer.poll()
        if (found === undefined) return false
        if (found.isBusy) {
          await deliverer.oneEnded()
          continue
        }
        const now = waits.now().getTime()
        const waitMs = (found.nextAt ?? Number.POSITIVE_INFINITY) - now
        if (waitMs > idleAfterMs || now + waitMs >= end.getTime()) break
        await pause.wait(Math.max(1, waitMs))
      }
      return true
    } finally {
      await deliverer.giveBack()
    }
  }

  /** Delivers what is due before the deadline. Resolves to false when another process delivers. */
  const runUntilIdle = async ({ deadline }: { deadline: Date }): Promise<boolean> => {
    if (mode === 'preview') return true
    const own = lastRun.then(() => run(deadline))
    lastRun = own.catch(() => undefined)
    return own
  }

  const afterResponse =
    mode === 'functions'
      ? createAfterResponse(shop, { deliver: (deadline) => runUntilIdle({ deadline }), flush })
      : undefined

  return {
    /** Begins to deliver, until `stop`. A second call does nothing. */
    start(): void {
      if (end !== undefined || mode === 'preview') return
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
      afterResponse?.wake()
      if (listening === undefined) notifications.send()
    },

    /** Reports that a request was answered: a process that its host stops again uses the occasion. */
    answered: (): void => afterResponse?.answered(),

    /** Begins no new calls and waits for the calls under way, for ten seconds at most. */
    async stop(): Promise<void> {
      await flush()
      const timeout = createWakeUp(effects)
      const ended = end?.().finally(timeout.wake)
      end = undefined
      if (ended !== undefined) await Promise.race([ended, timeout.wait(longestStopMs)])
    },

    runUntilIdle,
  }
}

/** The waits before each look for something to deliver. A hook runs before its save is committed, so there are two. */
const looksAfterMs = [100, 1_000]

/**
 * Long enough to wait for the lease of a killed process (nine seconds) and deliver what it left; the rest is for
 * the next request.
 */
const longestMs = 30_000

/** While requests keep coming, this is how often they look for what has become due by itself. */
const clockEveryMs = 30_000

interface AfterResponseSetup {
  /** Delivers until nothing is due, unless another process delivers: that one finds what is stored by itself. */
  deliver: (deadline: Date) => Promise<unknown>
  /** Stores what is still in memory. */
  flush: () => Promise<void>
}

/**
 * Asks a host that stops processes between requests to wait for the delivery. Where it cannot, another request
 * delivers.
 */
export function createAfterResponse({ effects, log }: Shop, setup: AfterResponseSetup) {
  const { deliver, flush } = setup
  let isWoken = false
  let work: Promise<void> | undefined
  let workedAt = -Infinity

  async function lookAgain(): Promise<void> {
    const end = effects.steadyMs() + longestMs
    const deadline = new Date(effects.now().getTime() + longestMs)
    for (let look = 0; look < looksAfterMs.length; look++) {
      await sleep(effects, looksAfterMs[look] ?? 0)
      if (effects.steadyMs() >= end) return
      isWoken = false
      await deliver(deadline)
      if (isWoken) look = -1
    }
  }

  const wake = (): void => {
    isWoken = true
    work ??= lookAgain()
      .catch((error: unknown) => {
        log.error({ err: error }, 'The delivery failed and will try again')
      })
      .finally(() => {
        work = undefined
        workedAt = effects.steadyMs()
      })
    keepRunning(work)
  }

  return {
    /** Something was stored or saved. */
    wake,

    /** A request was answered. */
    answered(): void {
      keepRunning(flush())
      if (effects.steadyMs() - workedAt > clockEveryMs) wake()
    },
  }
}

/** Where a host puts what it knows of the present request. Next.js passes it on to `after()`. */
const contextNames = ['@next/request-context', '@vercel/request-context']

type RequestContext = { get?: () => { waitUntil?: (work: Promise<unknown>) => void } | undefined }

/** Asks the host not to stop this process before the work has ended. */
function keepRunning(work: Promise<unknown>): void {
  const held = globalThis as unknown as Record<symbol, RequestContext | undefined>
  for (const name of contextNames) {
    const waitUntil = held[Symbol.for(name)]?.get?.()?.waitUntil
    if (waitUntil !== undefined) return waitUntil(work)
  }
}

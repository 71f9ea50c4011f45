import type { Log } from '../database/log.js'
import { type Effects, createWakeUp } from '../effects.js'

/** Work to do now, or when to look again. `nextAt` is undefined when nothing waits. */
export type Step = { run: () => Promise<void> } | { nextAt: Date | undefined }

/** Repeated work, such as delivering sends, making new ones or deleting old ones. */
export interface Worker {
  name: string
  /** Looks for work once. The returned `run` is called before the next look. */
  next(): Promise<Step>
  /** Whether it may have work for hours. A task then lets the others go first. */
  isLong?: boolean
}

/** A worker that finds what was changed. */
export interface Feed extends Worker {
  /** Finds everything that is saved so far, before the deadline. */
  catchUp(deadline?: Date): Promise<void>
}

export const isFeed = (worker: Worker): worker is Feed => 'catchUp' in worker

/** Lets each feed find everything that is saved so far. When one fails, the others still run. */
export async function catchUpFeeds(
  feeds: readonly Feed[],
  { deadline, log }: { deadline: Date; log: Log },
): Promise<void> {
  for (const feed of feeds) {
    await feed.catchUp(deadline).catch((error: unknown) => {
      log.error({ err: error, part: feed.name }, 'A feed failed. The other feeds still run')
    })
  }
}

/** Other processes create work too, and SQLite does not notify us. */
const pollEveryMs = 1_000

/** Turns are at least this far apart when work keeps coming. */
const leastApartMs = 20

/** The wait after an error doubles each time. */
const firstErrorWaitMs = 1_000
const longestErrorWaitMs = 30_000

/** What the `Shop` has for workers. */
interface WorkerShop {
  effects: Effects
  waits: Pick<Effects, 'now'>
  log: Log
}

/** Runs a worker again and again until it is stopped. A wake makes it look at once. */
export function runWorker(
  worker: Worker,
  { effects, waits, log }: WorkerShop,
  wakeUp = createWakeUp(effects, { isBackground: true }),
) {
  const rest = createWakeUp(effects, { isBackground: true })
  let isStopped = false
  let errors = 0

  /** Resolves to how long to wait, in milliseconds. */
  const takeTurn = async (): Promise<number> => {
    try {
      const step = await worker.next()
      if ('run' in step) await step.run()
      errors = 0
      if ('run' in step) return 0
      return Math.min(pollEveryMs, (step.nextAt?.getTime() ?? Infinity) - waits.now().getTime())
    } catch (error) {
      log.error({ err: error, part: worker.name }, 'The delivery failed and will try again')
      return Math.min(longestErrorWaitMs, firstErrorWaitMs * 2 ** errors++)
    }
  }

  const takeTurns = async (): Promise<void> => {
    while (!isStopped) {
      const begunAt = effects.steadyMs()
      const waitMs = await takeTurn()
      if (waitMs > 0) await wakeUp.wait(waitMs)
      const restMs = leastApartMs - (effects.steadyMs() - begunAt)
      if (restMs > 0) await rest.wait(restMs)
    }
  }
  // The first turn begins after the caller has received the worker, so that it can wake it.
  const ended = Promise.resolve().then(takeTurns)

  return {
    wake: () => wakeUp.wake(),
    /** Ends the worker. Resolves when its current turn has ended. */
    stop(): Promise<void> {
      isStopped = true
      wakeUp.wake()
      rest.wake()
      return ended
    },
  }
}

/** False when it has nothing to do now. */
async function takeStep(worker: Worker): Promise<boolean> {
  const step = await worker.next()
  if ('run' in step) await step.run()
  return 'run' in step
}

/** Runs each worker until it has nothing to do now, or until the deadline. */
export async function runToEnd(
  workers: readonly Worker[],
  { waits, log }: Pick<WorkerShop, 'waits' | 'log'>,
  deadline?: Date,
): Promise<void> {
  const hasTime = () => deadline === undefined || waits.now() < deadline
  const inTurn = [...workers].sort((a, b) => Number(a.isLong ?? false) - Number(b.isLong ?? false))
  for (const worker of inTurn) {
    try {
      let isBusy = true
      while (isBusy && hasTime()) isBusy = await takeStep(worker)
    } catch (error) {
      // This work can wait for the next time; sends that are already stored must not wait for it.
      log.error({ err: error, part: worker.name }, 'The delivery failed and will try again')
    }
  }
}

/** The rest of a worker between its turns. While a turn lasts, nobody begins another. */
export function createRest({ waits }: { waits: Pick<Effects, 'now'> }) {
  let until = 0
  let isWorking = false
  const now = () => waits.now().getTime()
  return {
    now,
    until: (at: number) => void (until = at),
    for: (ms: number) => void (until = now() + ms),
    /** What the worker does now. */
    next(turn: () => Promise<void>): Promise<Step> {
      if (isWorking) return Promise.resolve({ nextAt: undefined })
      if (now() < until) return Promise.resolve({ nextAt: new Date(until) })
      isWorking = true
      return Promise.resolve({ run: () => turn().finally(() => (isWorking = false)) })
    },
  }
}

export type Rest = ReturnType<typeof createRest>

import type { Log } from '../store/log.js'
import type { Clock } from './clock.js'
import { createWakeUp } from './wake-up.js'

/** What can be done now, or when to look again; `nextAt` is undefined when nothing waits. */
export type Step = { run: () => Promise<void> } | { nextAt: Date | undefined }

/** Something that is done again and again: the sends go out, some are made, old ones are deleted. */
export interface Worker {
  name: string
  /** Looks once. What it returns is run before it looks again. */
  next(): Promise<Step>
}

/** Other processes make work too, and not every database says so. */
const lookEveryMs = 1_000

/** Turns of what keeps coming are this far apart. */
const leastApartMs = 20

/** The wait after an error, doubled each time. */
const firstErrorWaitMs = 1_000
const longestErrorWaitMs = 30_000

/** Has a worker do what there is, again and again until it is stopped; at once when it is woken. */
export function runWorker(
  worker: Worker,
  { clock, log }: { clock: Clock; log: Log },
  wakeUp = createWakeUp({ isBackground: true }),
) {
  const rest = createWakeUp({ isBackground: true })
  let isStopped = false
  let errors = 0

  /** Resolves to how long there is nothing to do. */
  const takeTurn = async (): Promise<number> => {
    try {
      const step = await worker.next()
      if ('run' in step) await step.run()
      errors = 0
      if ('run' in step) return 0
      return Math.min(lookEveryMs, (step.nextAt?.getTime() ?? Infinity) - clock.now().getTime())
    } catch (error) {
      log.error({ err: error, part: worker.name }, 'The delivery failed, and goes on')
      return Math.min(longestErrorWaitMs, firstErrorWaitMs * 2 ** errors++)
    }
  }

  const takeTurns = async (): Promise<void> => {
    while (!isStopped) {
      const begunAt = performance.now()
      const waitMs = await takeTurn()
      if (waitMs > 0) await wakeUp.wait(waitMs)
      const restMs = leastApartMs - (performance.now() - begunAt)
      if (restMs > 0) await rest.wait(restMs)
    }
  }
  // Not before the caller has it, so that its first turn can be woken.
  const ended = Promise.resolve().then(takeTurns)

  return {
    wake: () => wakeUp.wake(),
    /** Resolves when the turn that is taken has ended. */
    stop(): Promise<void> {
      isStopped = true
      wakeUp.wake()
      rest.wake()
      return ended
    },
  }
}

/** Runs workers until none of them has anything to do now. */
export async function runToEnd(
  workers: readonly Worker[],
  { clock, log, deadline }: { clock: Clock; log: Log; deadline?: Date },
): Promise<void> {
  const runOne = async (worker: Worker): Promise<void> => {
    for (;;) {
      const step = await worker.next()
      if (!('run' in step) || (deadline && clock.now() >= deadline)) return
      await step.run()
    }
  }
  for (const worker of workers) {
    await runOne(worker).catch((error: unknown) => {
      // What they have to tell can wait for the next time; what is stored already must not.
      log.error({ err: error, part: worker.name }, 'The delivery failed, and goes on')
    })
  }
}

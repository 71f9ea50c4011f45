import type { Log } from '../store/log.js'
import type { Clock } from './clock.js'
import { createWakeUp } from './wake-up.js'

/** What can be done now, or when to look again; `nextAt` is undefined when nothing waits. */
export type Step = { run: () => Promise<void> } | { nextAt: Date | undefined }

/** Something that is done again and again beside the sends: it makes some, or deletes old ones. */
export interface Worker {
  name: string
  /** Looks once. What it returns is run before it looks again. */
  next(): Promise<Step>
}

/** Others than this process may give a worker something to do. */
const lookEveryMs = 1_000

/** The wait after an error, doubled each time. */
const firstErrorWaitMs = 1_000
const longestErrorWaitMs = 30_000

export const errorWaitMs = (errors: number): number =>
  Math.min(longestErrorWaitMs, firstErrorWaitMs * 2 ** (errors - 1))

export interface RunningWorker {
  wake(): void
  /** Resolves when it has ended what it was at. */
  stop(): Promise<void>
}

/** Has a worker do what there is, again and again. */
export function runWorker(
  worker: Worker,
  { clock, log, onRun }: { clock: Clock; log: Log; onRun: () => void },
): RunningWorker {
  const wakeUp = createWakeUp({ isBackground: true })
  let isStopped = false
  let errors = 0

  const loop = async (): Promise<void> => {
    while (!isStopped) {
      try {
        const step = await worker.next()
        if ('run' in step) {
          await step.run()
          onRun()
        } else {
          const waitMs = (step.nextAt?.getTime() ?? Infinity) - clock.now().getTime()
          await wakeUp.wait(Math.max(0, Math.min(lookEveryMs, waitMs)))
        }
        errors = 0
      } catch (error) {
        errors += 1
        log.error({ err: error, part: worker.name }, 'The delivery failed, and goes on')
        await wakeUp.wait(errorWaitMs(errors))
      }
    }
  }
  // Not before the caller has it, so that its first look can be woken.
  const ended = Promise.resolve().then(loop)
  return {
    wake: wakeUp.wake,
    stop() {
      isStopped = true
      wakeUp.wake()
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

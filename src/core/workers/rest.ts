import type { Effects } from '../effects.js'
import type { Step } from './worker.js'

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

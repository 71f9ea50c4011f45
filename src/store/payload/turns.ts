import { Problem } from '../../errors.js'

/** Lets work happen in turn within this process. */
export interface Turns {
  /** Runs the work when all earlier work of the same name is over. */
  take<Result>(name: string, work: () => Promise<Result>): Promise<Result>
}

/** One after the other by name; different names at once. */
export function createTurns(): Turns {
  const lasts = new Map<string, Promise<unknown>>()
  return {
    async take(name, work) {
      const before = lasts.get(name) ?? Promise.resolve()
      // Whoever comes next waits for the end, be it a failure.
      const turn = before.then(work, work)
      const over = turn.catch(() => undefined)
      lasts.set(name, over)
      try {
        return await turn
      } finally {
        if (lasts.get(name) === over) lasts.delete(name)
      }
    },
  }
}

/** Lets work through, at most so many pieces at once. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>

export interface Line {
  /** How many may wait; all of them without a number. */
  longest?: number
  /** How long one waits; for ever without a number. */
  patienceMs?: number
}

/** What has to wait longer, or in a longer line, is refused with SHOP_BUSY. */
export function createGate(atOnce: number, { longest = Infinity, patienceMs }: Line = {}): Gate {
  const waiting: (() => void)[] = []
  let inside = 0

  const wait = () =>
    new Promise<void>((resolve, reject) => {
      if (waiting.length >= longest) throw busy()
      const giveUp = () => {
        waiting.splice(waiting.indexOf(enter), 1)
        reject(busy())
      }
      const timer = patienceMs === undefined ? undefined : setTimeout(giveUp, patienceMs)
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      waiting.push(enter)
    })

  return async (work) => {
    if (inside < atOnce) inside += 1
    else await wait()
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) inside -= 1
      else next()
    }
  }
}

const busy = () => new Problem('SHOP_BUSY')

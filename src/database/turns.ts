import { setImmediate as otherWork } from 'node:timers/promises'
import type { Effects } from '../effects.js'
import { Problem } from '../errors.js'

/** Runs work with the same name one after the other, within this process. */
export function createTurns() {
  const lasts = new Map<string, Promise<unknown>>()
  return {
    async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
      const before = lasts.get(name) ?? Promise.resolve()
      // The next work begins when this one has ended, even if it failed.
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

interface Line {
  /** How many may wait. */
  longest: number
  /** How long each may wait, in milliseconds. */
  patienceMs: number
  after: Effects['after']
}

/**
 * Makes a gate that runs at most `atOnce` pieces of work at the same time. Without a `line`, any number may
 * wait as long as it takes.
 *
 * @throws {Problem} SHOP_BUSY when the line is full or the wait takes longer than allowed.
 */
export function createGate(atOnce: number, line?: Line) {
  const waiting: (() => void)[] = []
  let inside = 0

  const wait = () =>
    new Promise<void>((resolve, reject) => {
      if (line !== undefined && waiting.length >= line.longest) throw busy()
      const giveUp = () => {
        waiting.splice(waiting.indexOf(enter), 1)
        reject(busy())
      }
      const stopTimer = line?.after(line.patienceMs, giveUp)
      const enter = () => {
        stopTimer?.()
        resolve()
      }
      waiting.push(enter)
    })

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (inside < atOnce) inside += 1
    else await wait()
    try {
      // SQLite's driver never waits, so nothing else would be answered until the line is empty.
      await otherWork()
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) inside -= 1
      else next()
    }
  }
}

const busy = () => new Problem('SHOP_BUSY')

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

/** Node.js accepts one connection in each turn of the event loop, so a crowd shows only turn by turn. */
const quietTurns = 2
const mostTurns = 100

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
  let arrived = 0

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

  /** SQLite's driver never waits, so nothing else would be answered until the line is empty. */
  const letOthersCome = async () => {
    if (line === undefined) return otherWork()
    for (let turn = 0, quiet = 0; turn < mostTurns && quiet < quietTurns; turn += 1) {
      const before = arrived
      await otherWork()
      quiet = arrived === before ? quiet + 1 : 0
    }
  }

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    arrived += 1
    if (inside < atOnce) inside += 1
    else await wait()
    try {
      await letOthersCome()
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) inside -= 1
      else next()
    }
  }
}

const busy = () => new Problem('SHOP_BUSY')

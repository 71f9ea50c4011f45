import { describe, expect, it } from 'vitest'
import { createHistoryWorker, eventsInLine } from '../../../src/history/history-worker.js'
import type { HistoryWork } from '../../../src/store/history.js'

/** A history of so many steps, in memory. */
function historyOf(steps: number) {
  let at = 0
  const seen = { steps: 0, waiting: 0, givenUp: [] as string[], fails: false }
  const work: HistoryWork = {
    claim: () => Promise.resolve(steps > seen.steps ? { id: 1, token: 't' } : undefined),
    step() {
      if (seen.fails) return Promise.reject(new Error('The database is away.'))
      seen.steps += 1
      return Promise.resolve(seen.steps < steps)
    },
    giveUp(_, reason) {
      seen.givenUp.push(reason)
      return Promise.resolve()
    },
    waitingEvents: () => Promise.resolve(seen.waiting),
  }
  const worker = createHistoryWorker({ work, clock: { now: () => new Date(at) } })
  return {
    seen,
    worker,
    move: (ms: number) => void (at += ms),
    /** Runs what there is to do. */
    async work(): Promise<void> {
      for (let look = 0; look < 100; look++) {
        const step = await worker.next()
        if (!('run' in step)) return
        await step.run()
      }
    },
  }
}

describe('The worker that sends the history', () => {
  it('tells page after page until there are no more, and then looks every two seconds', async () => {
    const history = historyOf(5)
    await history.work()
    expect(history.seen.steps).toBe(5)
    expect(await history.worker.next()).toEqual({ nextAt: new Date(2_000) })
  })

  it('waits while the line is long, so that events of now need not', async () => {
    const history = historyOf(5)
    history.seen.waiting = eventsInLine
    await history.work()
    expect(history.seen.steps).toBe(0)
    history.seen.waiting = eventsInLine - 1
    await history.work()
    expect(history.seen.steps).toBe(5)
  })

  it('tells no two pages at once', async () => {
    const { worker } = historyOf(5)
    const first = await worker.next()
    expect('run' in first).toBe(true)
    expect(await worker.next()).toEqual({ nextAt: undefined })
  })

  it('tries again after an error, later each time, and gives the run up in the end', async () => {
    const history = historyOf(5)
    const claiming = await history.worker.next()
    if ('run' in claiming) await claiming.run()
    history.seen.fails = true
    const waits: number[] = []
    while (history.seen.givenUp.length === 0) {
      await expect(history.work()).rejects.toThrow('The database is away.')
      const step = await history.worker.next()
      const waitMs = 'nextAt' in step ? (step.nextAt?.getTime() ?? 0) : 0
      waits.push(waitMs - waits.reduce((sum, ms) => sum + ms, 0))
      history.move(waits.at(-1) ?? 0)
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000])
    expect(history.seen.givenUp).toEqual([expect.stringContaining('The log says why.')])
  })
})

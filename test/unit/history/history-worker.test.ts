import { describe, expect, it } from 'vitest'
import { createHistoryWorker, mostWaitingEvents } from '../../../src/history/history-worker.js'
import type { StoredRun } from '../../../src/history/history-table.js'
import type { HistoryWork } from '../../../src/history/history-work.js'

/** A history of so many steps, in memory. */
function historyOf(steps: number) {
  let at = 0
  let cursor: StoredRun['cursor'] = {}
  const seen = { steps: 0, waiting: 0, givenUp: 0, fails: false }
  const away = () => Promise.reject(new Error('The database is away.'))
  const work: HistoryWork = {
    current() {
      return Promise.resolve(steps > seen.steps ? ({ cursor } as StoredRun) : undefined)
    },
    step() {
      if (seen.fails) return away()
      seen.steps += 1
      return Promise.resolve()
    },
    putOff(_, next) {
      cursor = next
      return Promise.resolve()
    },
    giveUp() {
      seen.givenUp += 1
      return Promise.resolve()
    },
    waitingEvents: () => Promise.resolve(seen.waiting),
  }
  const worker = createHistoryWorker({ waits: { now: () => new Date(at) } }, work)
  return {
    seen,
    worker,
    now: () => at,
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
  it('sends page after page until there are no more, and then looks every two seconds', async () => {
    const history = historyOf(5)
    await history.work()
    expect(history.seen.steps).toBe(5)
    expect(await history.worker.next()).toEqual({ nextAt: new Date(2_000) })
  })

  it('waits while the line is long, so that events of now need not', async () => {
    const history = historyOf(5)
    history.seen.waiting = mostWaitingEvents
    await history.work()
    expect(history.seen.steps).toBe(0)
    history.seen.waiting = mostWaitingEvents - 1
    history.move(250)
    await history.work()
    expect(history.seen.steps).toBe(5)
  })

  it('sends no two pages at once', async () => {
    const { worker } = historyOf(5)
    const first = await worker.next()
    expect('run' in first).toBe(true)
    expect(await worker.next()).toEqual({ nextAt: undefined })
  })

  /** Fails until so many tries are over, and resolves to the waits between them. */
  async function waitsOf(history: ReturnType<typeof historyOf>, tries: number): Promise<number[]> {
    const waits: number[] = []
    while (waits.length < tries) {
      await expect(history.work()).rejects.toThrow()
      const step = await history.worker.next()
      const waitMs = 'nextAt' in step ? (step.nextAt?.getTime() ?? 0) - history.now() : 0
      waits.push(waitMs)
      history.move(waitMs)
    }
    return waits
  }

  it('tries again after an error, later each time, and gives the run up in the end', async () => {
    const history = historyOf(5)
    history.seen.fails = true
    expect(await waitsOf(history, 5)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000])
    expect(history.seen.givenUp).toBe(0)
    await expect(history.work()).rejects.toThrow('The database is away.')
    expect(history.seen.givenUp).toBe(1)
  })
})

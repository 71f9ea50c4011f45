import { describe, expect, it } from 'vitest'
import { createSweep } from '../../../src/order-events/sweep.js'
import type { PastChanges, Position } from '../../../src/store/past-changes.js'

const minute = 60_000
const day = 24 * 60 * minute

/** A sweep over pages that are counted, and a clock that stands still. */
function openSweep({ pages = 1, settleMs = 0 } = {}) {
  const clock = { time: Date.UTC(2026, 2, 10, 12), now: () => new Date(clock.time) }
  const walks: { from: Position; since: Date; until: Date }[] = []
  const others: { from: Position; until: Date }[] = []
  const failing: Error[] = []
  const kept: Date[] = []
  const tellOther = (from: Position, until: Date) => {
    others.push({ from, until })
    return Promise.resolve(undefined)
  }
  const past: PastChanges = {
    lastEnd: () => Promise.resolve(kept.at(-1)),
    keepEnd: (end) => Promise.resolve(void kept.push(end)),
    settleMs,
    tellOrders(from, { since, until }) {
      const failure = failing.pop()
      if (failure) return Promise.reject(failure)
      walks.push({ from, since, until })
      const page = typeof from.id === 'number' ? from.id : 0
      return Promise.resolve(page + 1 < pages ? { at: from.at, id: page + 1 } : undefined)
    },
    tellCheckouts: tellOther,
    tellAccounts: tellOther,
  }
  const worker = createSweep({ past, clock })
  /** Runs what there is to run now. */
  const runAll = async () => {
    for (;;) {
      const step = await worker.next()
      if (!('run' in step)) return step.nextAt?.getTime()
      await step.run()
    }
  }
  return { clock, walks, others, failing, kept, worker, runAll }
}

describe('The sweep', () => {
  it('begins a day back at start-up, and looks again after five minutes', async () => {
    const { clock, walks, others, runAll } = openSweep()
    const nextAt = await runAll()
    const from = { at: new Date(clock.time - day), id: undefined }
    const until = clock.now()
    expect(walks).toEqual([{ from, since: from.at, until }])
    expect(others).toEqual([
      { from, until },
      { from, until },
    ])
    expect(nextAt).toBe(clock.time + 5 * minute)
  })

  it('then begins ten minutes before where the last one ended', async () => {
    const { clock, walks, runAll } = openSweep()
    const first = clock.time
    await runAll()
    clock.time += 5 * minute
    await runAll()
    expect(walks[1]).toEqual({
      from: { at: new Date(first - 10 * minute), id: undefined },
      since: new Date(clock.time - day),
      until: clock.now(),
    })
  })

  it('begins before where the last one of any process ended, a week back at most', async () => {
    const { clock, walks, kept, runAll } = openSweep()
    kept.push(new Date(clock.time - 3 * day))
    await runAll()
    const begin = new Date(clock.time - 3 * day - 10 * minute)
    expect(walks).toMatchObject([{ from: { at: begin }, since: begin }])
    expect(kept).toHaveLength(2)

    const later = openSweep()
    later.kept.push(new Date(later.clock.time - 30 * day))
    await later.runAll()
    const weekAgo = new Date(later.clock.time - 7 * day)
    expect(later.walks).toMatchObject([{ from: { at: weekAgo }, since: weekAgo }])
  })

  it('keeps no end of a walk that was not complete', async () => {
    const { kept, failing, worker } = openSweep()
    failing.push(new Error('The database is away'))
    const step = await worker.next()
    if ('run' in step) await expect(step.run()).rejects.toThrow('away')
    expect(kept).toEqual([])
  })

  it('leaves out what may be half written, and at start-up looks again when it is whole', async () => {
    const { clock, walks, runAll } = openSweep({ settleMs: 15_000 })
    const first = clock.time
    expect(await runAll()).toBe(first + 15_000)
    clock.time += 15_000
    expect(await runAll()).toBe(first + 15_000 + 5 * minute)
    expect(walks.map(({ until }) => until.getTime())).toEqual([first - 15_000, first])
    expect(walks[1]?.from.at.getTime()).toBe(first - 15_000 - 10 * minute)
  })

  it('walks page by page, one at a time', async () => {
    const { walks, worker, runAll } = openSweep({ pages: 3 })
    const step = await worker.next()
    expect('run' in step && 'run' in (await worker.next())).toBe(false)
    if ('run' in step) await step.run()
    await runAll()
    expect(walks.map(({ from }) => from.id)).toEqual([undefined, 1, 2])
  })

  it('tries a page that failed again, from where it was, and not at once', async () => {
    const { clock, walks, failing, worker, runAll } = openSweep()
    failing.push(new Error('The database is away'))
    const step = await worker.next()
    if ('run' in step) await expect(step.run()).rejects.toThrow('away')
    expect(await runAll()).toBe(clock.time + 5_000)
    expect(walks).toEqual([])
    const begun = clock.time
    clock.time += 5_000
    await runAll()
    expect(walks.map(({ from }) => from.at.getTime())).toEqual([begun - day])
  })
})

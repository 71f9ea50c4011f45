import { describe, expect, it } from 'vitest'
import type { NewSend } from '../../../src/delivery/send.js'
import { realEffects } from '../../../src/effects.js'
import { createFeed, type Range, type Source } from '../../../src/feeds/feed.js'
import type { Changed, Position } from '../../../src/feeds/changed-rows.js'

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute

/** A feed over documents in memory, and a clock that stands still until it is moved. */
function openFeed({ quietMs = 0, firstBackMs = day, kept }: Setup = {}) {
  const clock = { time: Date.UTC(2026, 2, 10, 12), now: () => new Date(clock.time) }
  const documents: Changed[] = []
  const walks: { from: Position; until: Date }[] = []
  const reports: { ids: readonly (number | string)[]; range: Range }[] = []
  const failing: Error[] = []
  const broken = new Set<Changed['id']>()
  const cursors: Date[] = kept === undefined ? [] : [new Date(clock.time - kept)]
  const done: string[] = []
  const source: Source = {
    name: 'orders',
    quietMs,
    firstBackMs,
    changedBehind(from, { until, limit }) {
      walks.push({ from, until })
      const failure = failing.pop()
      if (failure) return Promise.reject(failure)
      const behind = documents.filter(
        ({ at, id }) =>
          at <= until &&
          (at > from.at || (at.getTime() === from.at.getTime() && id > (from.id ?? Infinity))),
      )
      return Promise.resolve(behind.slice(0, limit))
    },
    report(ids, range) {
      reports.push({ ids, range })
      const sends = ids.map((id) => ({ key: String(id) }) as NewSend)
      const hasFailed = ids.some((id) => broken.has(id))
      return Promise.resolve({
        sends,
        note: () => Promise.resolve(void done.push('noted')),
        hasFailed,
      })
    },
  }
  const feed = createFeed({ effects: { ...realEffects, ...clock }, waits: clock }, source, {
    store: () => Promise.resolve(void done.push('stored')),
    cursor: {
      read: () => Promise.resolve(cursors.at(-1)),
      keep: (end) => Promise.resolve(void cursors.push(end)),
    },
  })
  /** Runs what there is to run now. Resolves to how soon it is to be looked at again. */
  const runAll = async () => {
    for (;;) {
      const step = await feed.next()
      if (!('run' in step)) return (step.nextAt?.getTime() ?? 0) - clock.time
      await step.run()
    }
  }
  return { clock, documents, walks, reports, failing, broken, cursors, done, feed, runAll }
}

interface Setup {
  quietMs?: number
  firstBackMs?: number
  kept?: number
}

describe('The feed', () => {
  it('begins where its source says at the very first, and looks again in a second', async () => {
    const { clock, walks, runAll } = openFeed()
    expect(await runAll()).toBe(second)
    const from = { at: new Date(clock.time - day), id: undefined }
    expect(walks).toEqual([{ from, until: clock.now() }])
  })

  it('begins ten minutes before where the last process came to, a week back at most', async () => {
    const { clock, walks, runAll } = openFeed({ kept: 3 * day })
    await runAll()
    expect(walks[0]?.from.at.getTime()).toBe(clock.time - 3 * day - 10 * minute)

    const later = openFeed({ kept: 30 * day })
    await later.runAll()
    expect(later.walks[0]?.from.at.getTime()).toBe(later.clock.time - 7 * day)
  })

  it('reports what happened since its beginning, and since a day ago at least', async () => {
    const { clock, documents, reports, runAll } = openFeed({ kept: 3 * day })
    documents.push({ id: 1, at: new Date(clock.time - 2 * day) })
    await runAll()
    const since = () => reports.at(-1)?.range.since.getTime()
    expect(since()).toBe(clock.time - 3 * day - 10 * minute)
    clock.time += second
    documents.push({ id: 2, at: clock.now() })
    await runAll()
    expect(since()).toBe(clock.time - day)
  })

  it('looks back half a minute each time, and reports no document again that has not changed', async () => {
    const { clock, documents, walks, reports, runAll } = openFeed()
    documents.push({ id: 1, at: clock.now() })
    await runAll()
    const first = clock.time
    clock.time += second
    documents.unshift({ id: 2, at: new Date(first - 20 * second) })
    await runAll()
    expect(walks[1]?.from.at.getTime()).toBe(first - 30 * second)
    documents[1] = { id: 1, at: new Date(first + 1) }
    clock.time += second
    await runAll()
    expect(reports.map(({ ids }) => ids)).toEqual([[1], [2], [1]])
  })

  it('reads all of the last ten minutes again every five, and keeps how far it has come', async () => {
    const { clock, documents, walks, cursors, reports, runAll } = openFeed()
    const first = clock.time
    documents.push({ id: 1, at: clock.now() })
    await runAll()
    for (clock.time += second; clock.time < first + 5 * minute; clock.time += second) await runAll()
    expect(cursors).toEqual([new Date(first)])
    expect(reports).toHaveLength(1)
    await runAll()
    expect(walks.at(-1)?.from.at.getTime()).toBe(first - 10 * minute)
    expect(cursors.at(-1)).toEqual(clock.now())
    expect(reports.map(({ ids }) => ids)).toEqual([[1], [1]])
  })

  it('reports a document again every five minutes for a day where code of the store fails at it', async () => {
    const { clock, documents, reports, broken, cursors, runAll } = openFeed({ kept: 0 })
    const changedAt = clock.time
    documents.push({ id: 1, at: new Date(changedAt) })
    broken.add(1)
    const timesUntil = async (end: number) => {
      const before = reports.length
      for (; clock.time < end; clock.time += 5 * minute) await runAll()
      return reports.length - before
    }
    expect(await timesUntil(changedAt + day)).toBe(288)
    expect(cursors.at(-1)?.getTime()).toBe(changedAt)
    expect(await timesUntil(changedAt + day + 60 * minute)).toBeLessThanOrEqual(3)
    expect(cursors.at(-1)?.getTime()).toBe(clock.time - 5 * minute)
  })

  it('reports it no more than once when it is mended', async () => {
    const { clock, documents, reports, broken, runAll } = openFeed({ kept: 0 })
    documents.push({ id: 1, at: new Date(clock.time) })
    broken.add(1)
    await runAll()
    clock.time += 60 * minute
    broken.clear()
    await runAll()
    expect(reports).toHaveLength(2)
    clock.time += 60 * minute
    await runAll()
    expect(reports).toHaveLength(2)
  })

  it('looks at once when it is woken, and again when the change may be committed', async () => {
    const { clock, feed, walks, runAll } = openFeed()
    await runAll()
    clock.time += 500
    feed.wake()
    expect(await runAll()).toBe(100)
    expect(walks).toHaveLength(2)
    clock.time += 100
    expect(await runAll()).toBe(second)
    expect(walks).toHaveLength(3)
  })

  it('leaves alone what is still being changed', async () => {
    const { clock, documents, walks, reports, runAll } = openFeed({ quietMs: minute })
    documents.push({ id: 1, at: new Date(clock.time - 30 * second) })
    await runAll()
    expect(walks[0]?.until.getTime()).toBe(clock.time - minute)
    expect(reports).toEqual([])
    clock.time += 30 * second
    await runAll()
    expect(reports.map(({ ids }) => ids)).toEqual([[1]])
  })

  it('notes what was sent when it is stored, and not before', async () => {
    const { clock, documents, done, runAll } = openFeed()
    documents.push({ id: 1, at: clock.now() })
    await runAll()
    expect(done).toEqual(['stored', 'noted'])
  })

  it('walks page by page up to the same moment, one look at a time', async () => {
    const { clock, documents, walks, feed, reports, runAll } = openFeed()
    for (let id = 1; id <= 600; id++) documents.push({ id, at: new Date(clock.time - minute) })
    const step = await feed.next()
    expect(await feed.next()).not.toHaveProperty('run')
    if ('run' in step) await step.run()
    await runAll()
    expect(walks.map(({ from }) => from.id)).toEqual([undefined, 250, 500])
    expect(new Set(reports.flatMap(({ ids }) => ids)).size).toBe(600)
  })

  it('tries a page that failed again, from where it was, and not at once, though it is woken', async () => {
    const { clock, cursors, walks, failing, feed, runAll } = openFeed()
    failing.push(new Error('The database is away'))
    const step = await feed.next()
    if ('run' in step) await expect(step.run()).rejects.toThrow('away')
    feed.wake()
    expect(await runAll()).toBe(5 * second)
    expect(cursors).toEqual([])
    clock.time += 5 * second
    await runAll()
    expect(walks[1]).toEqual(walks[0])
    expect(cursors).toHaveLength(1)
  })
})

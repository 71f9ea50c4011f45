import { describe, expect, it } from 'vitest'
import { createCartWatch } from '../../../src/order-events/cart-watch.js'
import type { Position } from '../../../src/store/past-changes.js'

const day = 24 * 60 * 60_000

function openWatch() {
  const clock = { time: Date.UTC(2026, 2, 10, 12), now: () => new Date(clock.time) }
  const looks: { from: Position; until: Date }[] = []
  const answers: (Position | Error)[] = []
  const kept: Date[] = []
  const worker = createCartWatch({
    clock,
    carts: {
      lastEnd: () => Promise.resolve(kept.at(-1)),
      keepEnd: (end) => Promise.resolve(void kept.push(end)),
      tell(from, until) {
        looks.push({ from, until })
        const answer = answers.shift()
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
      },
    },
  })
  const runAll = async () => {
    for (;;) {
      const step = await worker.next()
      if (!('run' in step)) return step.nextAt?.getTime()
      await step.run()
    }
  }
  return { clock, looks, answers, kept, worker, runAll }
}

describe('The cart watch', () => {
  it('begins with the last day, up to what has been quiet for a minute', async () => {
    const { clock, looks, runAll } = openWatch()
    expect(await runAll()).toBe(clock.time + 5_000)
    expect(looks).toEqual([
      {
        from: { at: new Date(clock.time - day), id: undefined },
        until: new Date(clock.time - 60_000),
      },
    ])
  })

  it('begins before where the last watch of any process came to, a week back at most', async () => {
    const { clock, looks, kept, runAll } = openWatch()
    const lastEnd = new Date(clock.time - 3 * day)
    kept.push(lastEnd)
    await runAll()
    expect(looks[0]?.from.at.getTime()).toBe(lastEnd.getTime() - 10 * 60_000)

    const later = openWatch()
    later.kept.push(new Date(later.clock.time - 30 * day))
    await later.runAll()
    expect(later.looks[0]?.from.at.getTime()).toBe(later.clock.time - 7 * day)
  })

  it('keeps how far it has come, every five minutes, and never in the midst of a look', async () => {
    const { clock, looks, answers, kept, runAll } = openWatch()
    answers.push({ at: new Date(0), id: 7 })
    await runAll()
    expect(kept).toEqual([looks[1]?.until])
    clock.time += 5_000
    await runAll()
    expect(kept).toHaveLength(1)
    clock.time += 5 * 60_000
    await runAll()
    expect(kept).toHaveLength(2)
  })

  it('goes on where the last look ended', async () => {
    const { clock, looks, runAll } = openWatch()
    await runAll()
    clock.time += 5_000
    await runAll()
    expect(looks[1]?.from).toEqual({ at: looks[0]?.until, id: undefined })
    expect(looks[1]?.until).toEqual(new Date(clock.time - 60_000))
  })

  it('walks the pages of one look up to the same moment', async () => {
    const { looks, answers, runAll } = openWatch()
    const next = { at: new Date(0), id: 7 }
    answers.push(next)
    await runAll()
    expect(looks[1]).toEqual({ from: next, until: looks[0]?.until })
    expect(looks).toHaveLength(2)
  })

  it('looks at the same carts again after a failure, and not at once', async () => {
    const { clock, looks, answers, worker, runAll } = openWatch()
    answers.push(new Error('The database is away'))
    const step = await worker.next()
    if ('run' in step) await expect(step.run()).rejects.toThrow('away')
    expect(await runAll()).toBe(clock.time + 5_000)
    clock.time += 5_000
    await runAll()
    expect(looks[1]?.from).toEqual(looks[0]?.from)
  })
})

import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createGate, createTurns } from '../../../../src/core/database/turns.js'

/** Work that ends when the test says so. */
function pieceOfWork() {
  const work = { isRunning: false, end: () => undefined as void }
  const run = () =>
    new Promise<void>((resolve) => {
      work.isRunning = true
      work.end = () => resolve()
    })
  return { work, run }
}

const settle = async () => {
  for (let round = 0; round < 3; round += 1) await setImmediate()
}

describe('Turns', () => {
  it('lets work of one name happen one after the other, and other names at once', async () => {
    const turns = createTurns()
    const [first, second, other] = [pieceOfWork(), pieceOfWork(), pieceOfWork()]
    const ends = [
      turns.take('a', first.run),
      turns.take('a', second.run),
      turns.take('b', other.run),
    ]
    await settle()
    expect([first, second, other].map(({ work }) => work.isRunning)).toEqual([true, false, true])
    first.work.end()
    await settle()
    expect(second.work.isRunning).toBe(true)
    second.work.end()
    other.work.end()
    await Promise.all(ends)
  })

  it('goes on after work that failed, and reports that to the caller', async () => {
    const turns = createTurns()
    const failing = turns.take('a', () => Promise.reject(new Error('No.')))
    const next = turns.take('a', () => Promise.resolve('done'))
    await expect(failing).rejects.toThrow('No.')
    expect(await next).toBe('done')
  })
})

describe('A gate', () => {
  it('lets so many in at once, and the next when one leaves, be it by failing', async () => {
    const pass = createGate(2)
    const works = [pieceOfWork(), pieceOfWork(), pieceOfWork()]
    const ends = works.map(({ run }) => pass(run))
    await settle()
    expect(works.map(({ work }) => work.isRunning)).toEqual([true, true, false])
    works[0]?.work.end()
    await settle()
    expect(works[2]?.work.isRunning).toBe(true)
    works[1]?.work.end()
    works[2]?.work.end()
    await Promise.all(ends)
    await expect(pass(() => Promise.reject(new Error('No.')))).rejects.toThrow('No.')
    expect(await Promise.all([1, 2, 3].map((n) => pass(() => Promise.resolve(n))))).toEqual([
      1, 2, 3,
    ])
  })

  it('lets other work run before each piece, also when none of them ever waits', async () => {
    const pass = createGate(1)
    let done = 0
    const all = Promise.all([1, 2, 3].map(() => pass(() => Promise.resolve((done += 1)))))
    const seen: number[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      seen.push(done)
      await setImmediate()
    }
    await all
    expect(seen).toEqual([0, 1, 2])
  })

  it('refuses at once who comes when its line is full', async () => {
    const pass = createGate(1, { longest: 1, patienceMs: 1_000, after: () => () => undefined })
    const works = [pieceOfWork(), pieceOfWork()]
    const ends = works.map(({ run }) => pass(run))
    await expect(pass(() => Promise.resolve())).rejects.toMatchObject({ code: 'SHOP_BUSY' })
    for (const { work } of works) {
      await settle()
      work.end()
    }
    await Promise.all(ends)
  })
})

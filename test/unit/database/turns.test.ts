import { describe, expect, it } from 'vitest'
import { createGate, createTurns } from '../../../src/database/turns.js'

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
  for (let round = 0; round < 20; round += 1) await Promise.resolve()
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
})

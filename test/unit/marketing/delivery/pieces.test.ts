import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPieces } from '../../../../src/marketing/delivery/send-statements.js'
import { realEffects } from '../../../../src/core/effects.js'
import type { Shop } from '../../../../src/core/shop.js'
import { noVisitors } from '../../../support/no-visitors.js'
import type { Visitors } from '../../../../src/core/workers/visitors.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const somebody: Visitors = { ...noVisitors, areHere: () => true }

const piecesOf = (visitors: Visitors, isSqlite = true) =>
  createPieces({ database: { isSqlite }, effects: realEffects, visitors } as Shop)

const begunAfter = async (tookMs: number): Promise<boolean[]> => {
  const { piece } = piecesOf(somebody)
  const begun: string[] = []
  const first = piece(() => new Promise((resolve) => setTimeout(resolve, tookMs)))
  const second = piece(() => Promise.resolve(begun.push('second')))
  await vi.advanceTimersByTimeAsync(tookMs)
  await first
  const seen = [begun.length > 0]
  for (const ms of [tookMs - 1, 1]) {
    await vi.advanceTimersByTimeAsync(ms)
    seen.push(begun.length > 0)
  }
  await second
  return seen
}

it('a piece begins when the one before has ended, and has rested for as long as it took', async () => {
  expect(await begunAfter(50)).toEqual([false, false, true])
})

it('on PostgreSQL a piece waits for no other while nobody is here', async () => {
  const { piece } = piecesOf(noVisitors, false)
  const alone = piece(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(await piece(() => Promise.resolve('beside it'))).toBe('beside it')
  await vi.runAllTimersAsync()
  await alone
})

it('on SQLite pieces run one at a time, without a rest while nobody is here', async () => {
  const { piece } = piecesOf(noVisitors)
  const beganAt = performance.now()
  void piece(() => new Promise((resolve) => setTimeout(resolve, 50)))
  const next = piece(() => Promise.resolve(performance.now() - beganAt))
  await vi.runAllTimersAsync()
  expect(await next).toBe(50)
})

it('a piece begins when visitors have their answers', async () => {
  let answer = (): void => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const { piece } = piecesOf({ areHere: () => true, turn: () => answered })
  const begun: string[] = []
  const done = piece(() => Promise.resolve(begun.push('piece')))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(begun).toEqual([])
  answer()
  await done
  expect(begun).toEqual(['piece'])
})

it('a piece begins after one that fails', async () => {
  const { piece } = piecesOf(somebody)
  const failed = expect(piece(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const next = piece(() => Promise.resolve('next'))
  await vi.runAllTimersAsync()
  await failed
  expect(await next).toBe('next')
})

it.each([
  { where: 'on SQLite beside visitors', visitors: somebody, sizes: [50, 50, 50, 50, 50, 50, 1] },
  { where: 'on SQLite', visitors: noVisitors, sizes: [250, 51] },
  { where: 'on PostgreSQL beside visitors', visitors: somebody, sizes: [250, 51] },
])(
  'many rows are worked on a limited number at a time, in their order, $where',
  async ({ where, visitors, sizes }) => {
    const rows = Array.from({ length: 301 }, (_, n) => n)
    const worked: (readonly number[])[] = []
    const done = piecesOf(visitors, where.includes('SQLite')).each(rows, (some) =>
      Promise.resolve(worked.push(some)),
    )
    await vi.runAllTimersAsync()
    await done
    expect(worked.map(({ length }) => length)).toEqual(sizes)
    expect(worked.flat()).toEqual(rows)
  },
)

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPieces, rowsAtOnce } from '../../../../src/marketing/delivery/send-statements.js'
import { realEffects } from '../../../../src/core/effects.js'
import type { Shop } from '../../../../src/core/shop.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const shopOn = (database: { isSqlite: boolean }) =>
  ({ database, effects: realEffects }) as Pick<Shop, 'database' | 'effects'>

const begunAfter = async (tookMs: number): Promise<boolean[]> => {
  const { piece } = createPieces(shopOn({ isSqlite: true }))
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

it('on PostgreSQL a piece waits for no other, but while somebody posts', async () => {
  const { piece, posted } = createPieces(shopOn({ isSqlite: false }))
  const take = (ms: number) => piece(() => new Promise((resolve) => setTimeout(resolve, ms)))
  const alone = take(50)
  expect(await piece(() => Promise.resolve('beside it'))).toBe('beside it')
  await vi.runAllTimersAsync()
  await alone

  posted()
  const begun: string[] = []
  void take(50)
  void piece(() => Promise.resolve(begun.push('after it')))
  await vi.advanceTimersByTimeAsync(99)
  expect(begun).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(begun).toEqual(['after it'])

  await vi.advanceTimersByTimeAsync(1_000)
  void take(50)
  expect(await piece(() => Promise.resolve('beside it'))).toBe('beside it')
  await vi.runAllTimersAsync()
})

it('a piece begins after one that fails', async () => {
  const { piece } = createPieces(shopOn({ isSqlite: true }))
  const failed = expect(piece(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const next = piece(() => Promise.resolve('next'))
  await vi.runAllTimersAsync()
  await failed
  expect(await next).toBe('next')
})

it('many rows are worked on a limited number at a time, in their order', async () => {
  const database = { isSqlite: true }
  const atOnce = rowsAtOnce(database)
  const rows = Array.from({ length: 2 * atOnce + 1 }, (_, n) => n)
  const worked: (readonly number[])[] = []
  const done = createPieces(shopOn(database)).each(rows, (some) =>
    Promise.resolve(worked.push(some)),
  )
  await vi.runAllTimersAsync()
  await done
  expect(worked.map(({ length }) => length)).toEqual([atOnce, atOnce, 1])
  expect(worked.flat()).toEqual(rows)
})

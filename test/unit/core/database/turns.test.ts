import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createGate, createTurns } from '../../../../src/core/database/turns.js'

it('Turns go on after work that failed, and report that to the caller', async () => {
  const turns = createTurns()
  const failing = turns.take('a', () => Promise.reject(new Error('No.')))
  const next = turns.take('a', () => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('No.')
  expect(await next).toBe('done')
})

describe('A gate', () => {
  it('lets the next in when one leaves by failing', async () => {
    const pass = createGate(1)
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
})

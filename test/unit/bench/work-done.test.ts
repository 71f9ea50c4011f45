import { describe, expect, it } from 'vitest'
import { report } from '../../../bench/goals.js'
import { interleave } from '../../../bench/interleave.js'

const arm = (name: string, done: number) => ({ name, run: () => Promise.resolve(done) })

describe('A bench', () => {
  it('fails when one of its arms has done less than the others', async () => {
    const arms = [arm('Storeconnect', 500), arm('the floor', 0)]
    await expect(interleave(arms, { rounds: 1, work: 500 })).rejects.toThrow(
      'the floor has done 0 instead of 500',
    )
  })

  it('measures arms that have all done their work', async () => {
    const measured = await interleave([arm('Storeconnect', 500)], { rounds: 3, work: 500 })
    expect(measured).toEqual([{ name: 'Storeconnect', medianMs: expect.any(Number) as number }])
  })

  it.each([NaN, Infinity])('fails at a figure of %s, which nothing was measured for', (figure) => {
    expect(() => report('the floor', figure, { atLeast: 0.8 })).toThrow('Nothing was measured')
  })
})

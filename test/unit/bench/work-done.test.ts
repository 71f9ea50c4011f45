import { describe, expect, it } from 'vitest'
import { report, tell } from '../../../bench/goals.js'
import { interleave } from '../../../bench/interleave.js'
import { tellShares } from '../../../bench/marketing/tell-shares.js'
import { unmeasured } from '../../../bench/unmeasured.js'

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

  it('fails at a figure which nothing was measured for', () => {
    const figures = ['NaN ms', '∞/s', 'undefined ms', '', '2.10 ms; NaN ms until it is sent']
    const told = [
      ...figures.map((figure) => () => tell('the floor', figure)),
      ...[NaN, Infinity].map((figure) => () => report('the floor', figure, { atLeast: 0.8 })),
      ...[{}, { jose: 0.004 }].map((shares) => () => tellShares('where the time goes', shares)),
    ]
    for (const telling of told) expect(telling).toThrow('Nothing was measured')
  })

  it('has measured something under each of its headings', () => {
    const printed = `
             0.27 ms  4 KiB to this disk, with fsync

sqlite: a page of 500 full orders
  met     0.82 (goal ≥ 0.80)  the floor

sqlite: a new order
        2.10 ms; 3.20 ms until it is sent  built-in events on

sqlite: where the time of the delivery goes

sqlite: the product feed
  1,000 products

`
    expect(unmeasured(printed)).toEqual([
      'sqlite: where the time of the delivery goes',
      'sqlite: the product feed',
    ])
    expect(unmeasured('')).toEqual([''])
  })
})

import { describe, expect, it } from 'vitest'
import { createOwnCounts } from '../../../src/http/own-counts.js'

describe('createOwnCounts', () => {
  it('keeps 100,000 counts, and forgets the one that changed longest ago', () => {
    const counts = createOwnCounts(() => new Date(0))
    const addOthers = (many: number) => {
      for (let other = 0; other < many; other++) counts.add(`other ${other}`)
    }
    counts.add('first')
    addOthers(99_999)
    expect(counts.add('first').times).toBe(2)
    addOthers(100_000)
    expect(counts.add('first').times).toBe(1)
  })
})

import { expect, it } from 'vitest'
import { createOwnCounts } from '../../../../src/core/http/own-counts.js'
import { createRecentlyUsed } from '../../../../src/core/database/cached-value.js'

it('what was set longest ago is forgotten when there is no more room', () => {
  const values = createRecentlyUsed<number>(2)
  values.set('a', 1)
  values.set('b', 2)
  values.set('a', 3)
  values.set('c', 4)
  expect([values.get('a'), values.get('b'), values.get('c')]).toEqual([3, undefined, 4])
  expect(values.get('constructor')).toBeUndefined()
})

it('100,000 counts are kept, and the one that changed longest ago is forgotten', () => {
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

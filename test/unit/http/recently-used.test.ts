import { describe, expect, it } from 'vitest'
import { createRecentlyUsed } from '../../../src/http/recently-used.js'

describe('createRecentlyUsed', () => {
  it('forgets what was set longest ago when it is full', () => {
    const values = createRecentlyUsed<number>(2)
    values.set('a', 1)
    values.set('b', 2)
    values.set('a', 3)
    values.set('c', 4)
    expect([values.get('a'), values.get('b'), values.get('c')]).toEqual([3, undefined, 4])
  })

  it('knows no names that every object has', () => {
    expect(createRecentlyUsed<number>(2).get('constructor')).toBeUndefined()
  })
})

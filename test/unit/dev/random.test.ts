import { expect, it } from 'vitest'
import { randomFrom } from '../../../dev/seed/random.ts'

const draw = (seed: number) => {
  const random = randomFrom(seed)
  return Array.from({ length: 1000 }, () => random.next())
}

it('draws the same numbers from the same seed, and others from another', () => {
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
})

it('spreads its numbers over the whole range', () => {
  const numbers = draw(1)
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...numbers)).toBeLessThan(1)
  expect(numbers.filter((number) => number < 0.5).length).toBeGreaterThan(400)
})

it('reaches both ends of a range of whole numbers', () => {
  const random = randomFrom(3)
  const drawn = Array.from({ length: 200 }, () => random.between(1, 3))
  expect([...new Set(drawn)].sort()).toEqual([1, 2, 3])
})

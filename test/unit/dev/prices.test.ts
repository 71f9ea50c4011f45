import { expect, it } from 'vitest'
import { priceIn } from '../../../dev/seed/prices.ts'

it.each([
  ['USD', 1450],
  ['EUR', 1350],
  ['JPY', 2200],
  ['KWD', 4450],
] as const)('turns 14.50 dollars into minor units of %s', (currency, expected) => {
  expect(priceIn(currency, 1450)).toBe(expected)
})

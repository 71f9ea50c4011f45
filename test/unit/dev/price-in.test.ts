import { describe, expect, it } from 'vitest'
import { priceIn } from '../../../dev/price-in.ts'
import type { Variant } from '../../../dev/payload-types.ts'

const variant = { priceInUSD: 0, priceInEUR: 1350, priceInJPY: null } as Variant

describe('a price', () => {
  it.each([
    ['EUR', 1350],
    ['USD', 0],
    ['JPY', undefined],
    ['XYZ', undefined],
  ])('in %s is %s', (currency, price) => {
    expect(priceIn(currency, variant)).toBe(price)
  })
})

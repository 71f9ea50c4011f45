import { describe, expect, it } from 'vitest'
import { exportWeight } from '../../../../src/shipping/export/order-xml.js'

describe('exportWeight', () => {
  it.each([
    [250, 'g', 250, 'Grams'],
    [1.5, 'kg', 1500, 'Grams'],
    [8, 'oz', 8, 'Ounces'],
    [2.25, 'lb', 2.25, 'Pounds'],
    [3, 'KG', 3000, 'Grams'],
    [0, 'kg', 0, 'Grams'],
    [7, '', 7, 'Grams'],
    [7, 'stone', 7, 'Grams'],
  ])('turns %d %s into %d %s', (...[weight, weightUnit, amount, unit]) => {
    expect(exportWeight(weight, weightUnit)).toEqual({ amount, unit })
  })
})

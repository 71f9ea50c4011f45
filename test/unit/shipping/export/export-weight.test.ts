import { expect, it } from 'vitest'
import { exportWeight } from '../../../../src/shipping/export/order-xml.js'

it.each([
  [3, 'KG', 3000],
  [7, '', 7],
  [7, 'stone', 7],
])('takes a weight of %d %j for %d grams', (weight, weightUnit, amount) => {
  expect(exportWeight(weight, weightUnit)).toEqual({ amount, unit: 'Grams' })
})

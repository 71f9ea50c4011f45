import { expect, it } from 'vitest'
import { exportDate, exportWeight } from '../../../../src/shipping/export/order-xml.js'

it.each([
  ['2026-03-10T14:30:59.999Z', '3/10/2026 14:30'],
  ['2026-12-01T00:05:00Z', '12/1/2026 00:05'],
  ['2026-03-10T23:30:00-05:00', '3/11/2026 04:30'],
])('writes %s as M/D/YYYY HH:mm in UTC: %s', (moment, text) => {
  expect(exportDate(new Date(moment))).toBe(text)
})

it.each([
  [3, 'KG', 3000],
  [7, '', 7],
  [7, 'stone', 7],
])('takes a weight of %d %j for %d grams', (weight, weightUnit, amount) => {
  expect(exportWeight(weight, weightUnit)).toEqual({ amount, unit: 'Grams' })
})

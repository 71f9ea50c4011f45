import { describe, expect, it } from 'vitest'
import { exportDate } from '../../../../src/shipping/export/order-xml.js'

describe('exportDate', () => {
  it.each([
    ['2026-03-10T14:30:59.999Z', '3/10/2026 14:30'],
    ['2026-12-01T00:05:00Z', '12/1/2026 00:05'],
    ['2026-01-31T23:59:00Z', '1/31/2026 23:59'],
    ['2024-02-29T09:09:09Z', '2/29/2024 09:09'],
    ['2026-03-10T23:30:00-05:00', '3/11/2026 04:30'],
  ])('writes %s as M/D/YYYY HH:mm in UTC: %s', (moment, text) => {
    expect(exportDate(new Date(moment))).toBe(text)
  })
})

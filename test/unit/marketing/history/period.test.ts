import { describe, expect, it } from 'vitest'
import { momentsOf, readPeriod } from '../../../../src/marketing/history/period.js'

describe('The period of a history', () => {
  it.each([
    ['2025-01-01', '2025-01-02', true],
    ['2024-02-29', '2024-03-01', true],
    ['2025-02-29', '2025-03-01', false],
    ['2025-01-02', '2025-01-02', false],
    ['2025-01-03', '2025-01-02', false],
    ['01/02/2025', '2025-01-02', false],
    [undefined, '2025-01-02', false],
  ])('%s to %s is one: %s', (from, to, isPeriod) => {
    expect(readPeriod({ from, to })).toEqual(isPeriod ? { from, to } : undefined)
  })

  it('begins and ends at midnight where the shop is, also when the clocks are put on', () => {
    expect(momentsOf({ from: '2025-03-30', to: '2025-03-31' }, 'Europe/Berlin')).toEqual({
      begin: new Date('2025-03-29T23:00:00Z'),
      end: new Date('2025-03-30T22:00:00Z'),
    })
  })
})

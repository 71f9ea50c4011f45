import { expect, it } from 'vitest'
import { momentsOf } from '../../../../src/marketing/history/period.js'

it('A period begins and ends at midnight where the shop is, also when the clocks are put on', () => {
  expect(momentsOf({ from: '2025-03-30', to: '2025-03-31' }, 'Europe/Berlin')).toEqual({
    begin: new Date('2025-03-29T23:00:00Z'),
    end: new Date('2025-03-30T22:00:00Z'),
  })
})

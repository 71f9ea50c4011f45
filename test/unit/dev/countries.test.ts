import { describe, expect, it } from 'vitest'
import { countries } from '../../../dev/countries.ts'

describe('the countries that parcels go to', () => {
  it('are in the order of their names in the language', () => {
    const codes = countries('de').map(({ code }) => code)
    expect(codes.indexOf('AU')).toBeLessThan(codes.indexOf('DE'))
    expect(countries('de').find(({ code }) => code === 'DE')?.name).toBe('Deutschland')
    expect(countries('en-GB').find(({ code }) => code === 'DE')?.name).toBe('Germany')
  })
})

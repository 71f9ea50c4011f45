import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencyDecimals, decimalAmount } from '../../../../src/shop/orders/money.js'

describe('decimalAmount', () => {
  it.each([
    ['USD', 0, '0.00'],
    ['USD', 1, '0.01'],
    ['USD', 1999, '19.99'],
    ['USD', -1, '-0.01'],
    ['JPY', 500, '500.00'],
    ['KWD', 1234, '1.234'],
    ['KWD', -7, '-0.007'],
    ['', 1999, '19.99'],
    ['XXQ', 1999, '19.99'],
    ['USD', -0, '0.00'],
    ['USD', -0.4, '0.00'],
    ['USD', Number.MAX_SAFE_INTEGER, '90071992547409.91'],
  ])('writes %s %i as %s', (currency, minorUnits, text) => {
    expect(decimalAmount(minorUnits, currency)).toBe(text)
  })

  it('keeps every minor unit, with "." and at least two decimals', () => {
    const currencies = fc.constantFrom('USD', 'JPY', 'KWD', 'EUR')
    fc.assert(
      fc.property(fc.maxSafeInteger(), currencies, (minorUnits, currency) => {
        const text = decimalAmount(minorUnits, currency)
        expect(text).toMatch(/^-?\d+\.\d{2,}$/)
        const [whole = '', fraction = ''] = text.split('.')
        const units = whole + fraction.slice(0, currencyDecimals(currency))
        expect(BigInt(units)).toBe(BigInt(minorUnits))
      }),
    )
  })
})

describe('currencyDecimals', () => {
  it.each([
    ['USD', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['CLF', 4],
    ['usd', 2],
    ['', 2],
    ['__proto__', 2],
  ])('of %s is %i, and still when asked again', (currency, decimals) => {
    expect(currencyDecimals(currency)).toBe(decimals)
    expect(currencyDecimals(currency)).toBe(decimals)
  })
})

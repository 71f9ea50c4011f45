import { decimalAmount, isAmount } from '../commerce/money.js'

/**
 * An amount as the platform adds it up: 1999 USD is 19.99, 500 JPY is 500, 1234 KWD is 1.234.
 * Undefined for what is no amount.
 */
export const majorUnits = (minorUnits: number, currency: string): number | undefined =>
  isAmount(minorUnits) ? Number(decimalAmount(minorUnits, currency)) : undefined

const digitsByCurrency = new Map<string, number>()

/** How many decimals a currency has, by ISO 4217: 2 for USD, 0 for JPY, 3 for KWD, and 2 for an unknown code. */
export function currencyDecimals(currency: string): number {
  const cached = digitsByCurrency.get(currency)
  if (cached !== undefined) return cached
  const decimals = lookUpDecimals(currency)
  digitsByCurrency.set(currency, decimals)
  return decimals
}

function lookUpDecimals(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}

/** Whether a number is an amount: a whole number of minor units, small enough to be exact. */
export const isAmount = (minorUnits: number): boolean => Number.isSafeInteger(minorUnits)

/** Writes minor units with at least two decimals: 1999 USD is `19.99`, 500 JPY `500.00`, 1234 KWD `1.234`. */
export function decimalAmount(minorUnits: number, currency: string): string {
  const decimals = currencyDecimals(currency)
  const negative = minorUnits < 0
  const digits = Math.abs(Math.round(minorUnits))
    .toFixed(0)
    .padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).padEnd(2, '0')
  const text = `${whole}.${fraction}`
  return negative && /[1-9]/.test(text) ? `-${text}` : text
}

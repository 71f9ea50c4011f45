import { currencies } from './currencies.ts'

/** A price as people write it: `$12.50`. */
export function moneyText(minorUnits: number, code: string): string {
  const decimals = currencies.find((currency) => currency.code === code)?.decimals ?? 2
  const format = new Intl.NumberFormat('en', { currency: code, style: 'currency' })
  return format.format(minorUnits / 10 ** decimals)
}

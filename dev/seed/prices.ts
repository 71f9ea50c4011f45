import type { CurrencyCode } from './regions.ts'

/** What one US cent is in the minor units of a currency, and what its prices are rounded to. */
const rates: Record<CurrencyCode, { perCent: number; roundedTo: number }> = {
  USD: { perCent: 1, roundedTo: 1 },
  EUR: { perCent: 0.93, roundedTo: 10 },
  JPY: { perCent: 1.52, roundedTo: 10 },
  KWD: { perCent: 3.07, roundedTo: 50 },
}

/** A price in the minor units of a currency: 1450 cents are 1300 euro cents, 2200 yen, 4450 fils. */
export function priceIn(currency: CurrencyCode, usCents: number): number {
  const { perCent, roundedTo } = rates[currency]
  return Math.round((usCents * perCent) / roundedTo) * roundedTo
}

/** The price fields of a product or a variant, as the ecommerce extension names them. */
export const priceFields = (usCents: number) => ({
  priceInUSD: priceIn('USD', usCents),
  priceInUSDEnabled: true,
  priceInEUR: priceIn('EUR', usCents),
  priceInEUREnabled: true,
  priceInJPY: priceIn('JPY', usCents),
  priceInJPYEnabled: true,
  priceInKWD: priceIn('KWD', usCents),
  priceInKWDEnabled: true,
})

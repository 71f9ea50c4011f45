import type { Product, Variant } from './payload-types.ts'

/** What a product or one kind of it costs in a currency, in minor units. */
export function priceIn(
  currency: string,
  thing: Product | Variant | undefined,
): number | undefined {
  const prices: Record<string, number | null | undefined> = {
    USD: thing?.priceInUSD,
    EUR: thing?.priceInEUR,
    JPY: thing?.priceInJPY,
    KWD: thing?.priceInKWD,
  }
  return prices[currency] ?? undefined
}

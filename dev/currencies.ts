import type { Currency } from '@payloadcms/plugin-ecommerce/types'

/** The currencies that the store sells in: with two, no and three decimals. */
export const currencies: Currency[] = [
  { code: 'USD', decimals: 2, label: 'US Dollar', symbol: '$' },
  { code: 'EUR', decimals: 2, label: 'Euro', symbol: '€' },
  { code: 'JPY', decimals: 0, label: 'Japanese Yen', symbol: '¥' },
  { code: 'KWD', decimals: 3, label: 'Kuwaiti Dinar', symbol: 'KD' },
]

import { abandonedCartNumbers } from '../abandoned-cart-numbers.ts'
import type { CurrencyCode } from './regions.ts'
import type { SiteSeed } from './sites.ts'

export interface DemoCart {
  site: SiteSeed['handle']
  currency: CurrencyCode
  /** The account that the cart belongs to; undefined for a guest's. */
  email?: string
  /** Products by their slug. */
  items: { slug: string; quantity: number }[]
  daysOld: number
  isPurchased?: boolean
  /** Default: one that nobody can guess. */
  number?: string
}

/** Carts in use, left behind and bought, of guests and of accounts. */
export const demoCarts: DemoCart[] = [
  {
    site: 'europe',
    currency: 'EUR',
    email: 'zofia@example.com',
    items: [
      { slug: 'letter-set', quantity: 1 },
      { slug: 'linden-honey', quantity: 2 },
    ],
    daysOld: 0,
    number: abandonedCartNumbers.customer,
  },
  {
    site: 'america',
    currency: 'USD',
    email: 'daniel@example.com',
    items: [{ slug: 'cast-iron-teapot', quantity: 1 }],
    daysOld: 4,
  },
  {
    site: 'america',
    currency: 'USD',
    items: [
      { slug: 'bamboo-whisk', quantity: 1 },
      { slug: 'washi-tape', quantity: 3 },
    ],
    daysOld: 1,
  },
  {
    site: 'europe',
    currency: 'USD',
    items: [
      { slug: 'cast-iron-teapot', quantity: 1 },
      { slug: 'linden-honey', quantity: 2 },
    ],
    daysOld: 12,
    number: abandonedCartNumbers.guest,
  },
  { site: 'europe', currency: 'JPY', items: [{ slug: 'bamboo-whisk', quantity: 2 }], daysOld: 5 },
  {
    site: 'wholesale',
    currency: 'KWD',
    items: [{ slug: 'wax-and-seal', quantity: 24 }],
    daysOld: 2,
  },
  {
    site: 'europe',
    currency: 'EUR',
    items: [{ slug: 'linden-honey', quantity: 1 }],
    daysOld: 6,
    isPurchased: true,
  },
]

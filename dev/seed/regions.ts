export type CurrencyCode = 'USD' | 'EUR' | 'JPY' | 'KWD'

/** How a parcel leaves: who carries it, under which name, with a number of which form. */
export interface Carrier {
  carrier: string
  service: string
  numberPrefix: string
}

/** What depends on where an order goes. Amounts are minor units. */
export interface Region {
  currency: CurrencyCode
  warehouse: 'berlin' | 'portland' | 'osaka'
  shippingMethod: string
  shippingAmount: number
  carrier: Carrier
}

const europe: Region = {
  currency: 'EUR',
  warehouse: 'berlin',
  shippingMethod: 'DHL Paket',
  shippingAmount: 590,
  carrier: { carrier: 'DHL', service: 'Paket', numberPrefix: '0034043' },
}

const regions: Record<string, Region> = {
  US: {
    currency: 'USD',
    warehouse: 'portland',
    shippingMethod: 'USPS Priority',
    shippingAmount: 795,
    carrier: { carrier: 'USPS', service: 'Priority', numberPrefix: '9400111' },
  },
  JP: {
    currency: 'JPY',
    warehouse: 'osaka',
    shippingMethod: 'ヤマト運輸 宅急便',
    shippingAmount: 880,
    carrier: { carrier: 'Yamato', service: '宅急便', numberPrefix: '4470123' },
  },
  KW: {
    currency: 'KWD',
    warehouse: 'berlin',
    shippingMethod: 'Aramex Express',
    shippingAmount: 3250,
    carrier: { carrier: 'Aramex', service: 'Express', numberPrefix: '3155820' },
  },
}

/** The region of a two-letter country; Europe for every country not named. */
export const regionOf = (country: string): Region => regions[country] ?? europe

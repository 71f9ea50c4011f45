import type { FoundCounts } from '../erasure/erasure-table.js'
import type { Words } from './words.js'

export const foundCounts = (
  { translate, number }: Pick<Words, 'translate' | 'number'>,
  found: FoundCounts,
): string =>
  translate('erasureFoundCounts', {
    orders: number(found.orderCount),
    payments: number(found.paymentCount),
    carts: number(found.cartCount),
    addresses: number(found.addressCount),
    sends: number(found.sendCount),
  })

/** What stays of anonymised orders and payments, with the fields that the store's options keep. */
export const whatStays = (
  { translate }: Pick<Words, 'translate'>,
  keepFields: readonly string[],
): string =>
  keepFields.length === 0
    ? translate('erasureKeeps')
    : `${translate('erasureKeeps')} ${translate('erasureKeepsFields', { fields: keepFields.join(', ') })}`

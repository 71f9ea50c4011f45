import type { LineItem } from '../commerce/order.js'
import { hashOf } from '../marketing/send-key.js'
import type { TakenCart } from './happening.js'

/**
 * What a cart holds, in short: the same lines in another order, or saved again, are the same. 43
 * characters.
 */
export const cartState = ({
  lines,
  total,
  currency,
}: Pick<TakenCart, 'lines' | 'total' | 'currency'>): string =>
  hashOf([lines.map(lineState).sort(), total, currency])

const lineState = ({ productId, sku, name, quantity, unitPrice, options }: LineItem): string =>
  JSON.stringify([
    productId,
    sku,
    name,
    quantity,
    unitPrice,
    options.map((option) => [option.name, option.value]),
  ])

import { productFieldProblem } from './named-fields.js'
import type { OrderShop } from './order-options.js'
import { namedIn } from './stored-value.js'

/** The product field of each value on an exported line, by the translation key of that value. */
const exported = { itemName: 'name', sku: 'sku', weight: 'weight', imageUrl: 'image' } as const

/** A field that products lack: the translation key of its value on a line, and the path that was searched. */
export interface MissingProductField {
  part: keyof typeof exported
  path: string
}

/** The named fields that products and variants lack. Empty with `orders.map`, which fills the lines itself. */
export function missingProductFields(shop: OrderShop): MissingProductField[] {
  const { payload, options } = shop
  if (payload.collections[options.collections.carts] === undefined) return []
  if (options.orders.map !== undefined) return []
  return Object.entries(exported)
    .filter(([, name]) => productFieldProblem(name, options, namedIn(shop)) !== undefined)
    .map(([part, name]) => ({
      part: part as keyof typeof exported,
      path: options.productFields[name],
    }))
}

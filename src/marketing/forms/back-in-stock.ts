import { readPurchasableId } from '../../carts/cart-change.js'
import { Problem } from '../../core/errors.js'
import type { ParameterTree } from '../../core/http/parameters.js'
import { invalidParameter } from '../../core/http/parameter-tree.js'
import type { CatalogParts } from '../catalog/parts.js'
import type { BackInStockMessage, Channel } from '../klaviyo/message.js'

export type AskedVariant = Pick<BackInStockMessage, 'variant' | 'product'>

const parameter = 'backInStock'

/**
 * Reads `backInStock[productId]`, or `backInStock[variantId]` of a product with variants. Undefined when the post does
 * not ask.
 *
 * @throws {Problem} PARAMETER_INVALID, EMAIL_INVALID, PRODUCT_IN_STOCK, BACK_IN_STOCK_OFF.
 */
export async function readBackInStock(
  tree: ParameterTree,
  channels: readonly Channel[],
  { soldOut }: CatalogParts,
): Promise<AskedVariant | undefined> {
  const posted = tree[parameter]
  if (posted === undefined || posted === null) return undefined
  if (typeof posted !== 'object') {
    throw invalidParameter(`The parameter "${parameter}" must be nested.`)
  }
  const { field, ids } = readPurchasableId(posted as ParameterTree, parameter)
  if (channels.length === 0) {
    throw new Problem('EMAIL_INVALID', {
      message: `The parameter "${parameter}" needs an "email", or a "profile[phone_number]" in international format.`,
    })
  }
  const found = (await soldOut?.(ids)) ?? { is: 'off' }
  switch (found.is) {
    case 'sold-out':
      return { variant: found.variant, product: found.product }
    case 'in-stock':
      throw new Problem('PRODUCT_IN_STOCK')
    case 'unknown':
      throw invalidParameter(
        `The parameter "${field}" does not name something that Klaviyo can show.`,
      )
    case 'off':
      throw new Problem('BACK_IN_STOCK_OFF')
  }
}

import type { HttpParts } from '../core/http/parts.js'
import { formAction } from '../core/http/form-action.js'
import type { OptionsOf } from '../core/options-schema.js'
import type { Shop } from '../core/shop.js'
import type { SiteParts } from '../shop/sites/parts.js'
import { cartSchemaOf } from './cart-documents.js'
import { createCarts } from './carts.js'
import { createAbandonedCartUrl, createRestoreLinks } from './restore-link.js'
import type { restoreOptions } from './restore-options.js'
import { createUpdateCart } from './update-cart-action.js'
import { defineParts, type Contributions } from '../core/feature.js'

export type CartParts = ReturnType<typeof build>

function build(
  shop: Shop<OptionsOf<typeof restoreOptions>>,
  { sites }: SiteParts,
  { cartPosts, acceptCode }: Contributions,
) {
  const { payload, options, effects } = shop
  const { secret } = payload.config
  const restoreLinks = createRestoreLinks(options.restore, { secret, now: effects.now })
  const hasCarts = payload.collections[options.collections.carts] !== undefined
  const cartSchema = hasCarts ? cartSchemaOf(payload, options) : undefined
  return {
    cartPosts,
    acceptCode,
    restoreLinks,
    abandonedCartUrl: createAbandonedCartUrl(shop, { sites, restoreLinks }),
    /** Undefined in a store without carts. */
    cartSchema,
    /** Undefined in a store without carts. */
    carts: cartSchema && createCarts({ ...shop, schema: cartSchema, sites }),
  }
}

export const cartsParts = defineParts({
  build,
  forwardable(shop: Shop, parts: CartParts & HttpParts & SiteParts) {
    const { carts, cartSchema: schema, forms } = parts
    if (carts === undefined || schema === undefined) return {}
    const updateCart = createUpdateCart(shop, { ...parts, carts, schema })
    return { 'commerce/cart/update-cart': formAction(forms, updateCart) }
  },
})

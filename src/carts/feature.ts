import type { ConsentParts } from '../consent/feature.js'
import { defineFeature, type StoreConfig } from '../feature.js'
import type { HttpParts } from '../http/feature.js'
import { formAction } from '../http/form-action.js'
import type { OptionsOf } from '../options-schema.js'
import type { Shop } from '../shop.js'
import type { SiteParts } from '../sites/feature.js'
import { cartSchemaOf } from './cart-documents.js'
import { createCarts } from './carts.js'
import { guardCartOwner } from './guard-cart-owner.js'
import { rememberNewCart } from './remember-new-cart.js'
import { createAbandonedCartUrl, createRestoreLinks } from './restore-link.js'
import { restoreOptions } from './restore-options.js'
import { createUpdateCart } from './update-cart-action.js'

export type CartParts = ReturnType<typeof build>

function build(shop: Shop<OptionsOf<typeof restoreOptions>>, { sites }: SiteParts) {
  const { payload, options, effects } = shop
  const { secret } = payload.config
  const restoreLinks = createRestoreLinks(options.restore, { secret, now: effects.now })
  const hasCarts = payload.collections[options.collections.carts] !== undefined
  const cartSchema = hasCarts ? cartSchemaOf(payload, options) : undefined
  return {
    restoreLinks,
    abandonedCartUrl: createAbandonedCartUrl(shop, { sites, restoreLinks }),
    /** Undefined in a store without carts. */
    cartSchema,
    /** Undefined in a store without carts. */
    carts: cartSchema && createCarts({ ...shop, schema: cartSchema, sites }),
  }
}

/** The visitor's cart. */
export const cartsFeature = defineFeature({
  options: restoreOptions.shape,
  hooks(store: StoreConfig<object, HttpParts>) {
    const { options, customersSlug, isAdmin } = store
    return {
      [options.collections.carts]: (carts) =>
        guardCartOwner(
          {
            ...carts,
            hooks: {
              ...carts.hooks,
              afterChange: [...(carts.hooks?.afterChange ?? []), rememberNewCart(store)],
            },
          },
          { path: options.fields.customer, customersSlug, isAdmin },
        ),
    }
  },
  build,
  forwardable(shop: Shop, parts: CartParts & HttpParts & SiteParts & ConsentParts) {
    const { carts, cartSchema: schema, forms } = parts
    if (carts === undefined || schema === undefined) return {}
    const updateCart = createUpdateCart(shop, { ...parts, carts, schema })
    return { 'commerce/cart/update-cart': formAction(forms, updateCart) }
  },
})

import { defineFeature, type StoreConfig } from '../core/feature.js'
import type { HttpParts } from '../core/http/parts.js'
import { withHooks } from '../core/payload/collection-hooks.js'
import { guardCartOwner } from './guard-cart-owner.js'
import { noteMerge, rememberNewCart } from './cart-hooks.js'
import { restoreOptions } from './restore-options.js'

/** The visitor's cart. */
export const cartsFeature = defineFeature({
  options: restoreOptions.shape,
  hooks(store: StoreConfig<object, HttpParts>) {
    const { options, customersSlug, isAdmin, effects } = store
    return {
      [options.collections.carts]: (carts) =>
        guardCartOwner(
          withHooks(carts, {
            afterChange: [rememberNewCart(store)],
            afterDelete: [noteMerge(options)],
          }),
          { names: options, customersSlug, isAdmin, effects },
        ),
    }
  },
  parts: async () => (await import('./parts.js')).cartsParts,
})

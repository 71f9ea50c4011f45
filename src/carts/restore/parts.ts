import type { HttpParts } from '../../core/http/parts.js'
import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import type { SiteParts } from '../../shop/sites/parts.js'
import type { CartParts } from '../parts.js'
import { restorePath } from '../restore-link.js'
import type { restoreOptions } from '../restore-options.js'
import { createAbandonedCarts } from './abandoned-carts.js'
import { createRestore } from './restore-action.js'
import { defineParts } from '../../core/feature.js'

export const restoreParts = defineParts({
  actions(shop: Shop<OptionsOf<typeof restoreOptions>>, parts: HttpParts & SiteParts & CartParts) {
    const { carts, cartSchema: schema, sites } = parts
    if (carts === undefined || schema === undefined) return {}
    const abandonedCarts = createAbandonedCarts({ ...shop, schema, sites }, carts)
    return { [restorePath]: createRestore({ ...shop, ...parts, carts, abandonedCarts }) }
  },
})

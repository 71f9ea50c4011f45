import type { CartParts } from '../carts/parts.js'
import { lazy } from '../database/cached-reading.js'
import type { OptionsOf } from '../options-schema.js'
import type { OrderShop } from '../orders/order-options.js'
import type { Shop } from '../shop.js'
import type { SiteParts } from '../sites/parts.js'
import type { siteOptions } from '../sites/site-options.js'
import { missingProductFields } from './missing-product-fields.js'
import { createProductFeed } from './product-feed-action.js'
import { createPublicProducts } from './public-products.js'
import { defineParts } from '../feature.js'

export type ProductFeedParts = ReturnType<typeof build>

const build = (shop: OrderShop, { cartSchema }: CartParts) => ({
  /** Undefined in a store without carts. */
  publicProducts: cartSchema && createPublicProducts(shop, cartSchema),
  missingProductFields: lazy(() => missingProductFields(shop)),
})

export const productFeedParts = defineParts({
  build,
  actions: (
    shop: Shop<OptionsOf<typeof siteOptions>>,
    { publicProducts, sites }: ProductFeedParts & SiteParts,
  ) => ({
    ...(publicProducts && {
      'marketingconnect/catalog/products': createProductFeed(shop, publicProducts, sites),
    }),
  }),
})

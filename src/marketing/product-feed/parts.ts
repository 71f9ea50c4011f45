import type { CartParts } from '../../carts/parts.js'
import type { OptionsOf } from '../../core/options-schema.js'
import type { OrderShop } from '../../shop/orders/order-options.js'
import type { Shop } from '../../core/shop.js'
import type { SiteParts } from '../../shop/sites/parts.js'
import type { siteOptions } from '../../shop/sites/site-options.js'
import { createProductFeed } from './product-feed-action.js'
import { createPublicProducts } from './public-products.js'
import { defineParts } from '../../core/feature.js'

export type ProductFeedParts = ReturnType<typeof build>

const build = (shop: OrderShop, { cartSchema }: CartParts) => ({
  /** Undefined in a store without carts. */
  publicProducts: cartSchema && createPublicProducts(shop, cartSchema),
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

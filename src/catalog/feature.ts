import type { CartParts } from '../carts/feature.js'
import type { Feature } from '../feature.js'
import type { OrderFeatureOptions } from '../orders/feature.js'
import type { Shop } from '../shop.js'
import type { SiteParts } from '../sites/feature.js'
import type { ProductUrl } from '../sites/site-url.js'
import { missingProductFields } from './missing-product-fields.js'
import { createProductFeed } from './product-feed-action.js'
import { createFeedProducts } from './product-feed.js'

interface Options extends OrderFeatureOptions {
  productUrl: ProductUrl
}

export type CatalogParts = ReturnType<typeof build>

const build = ({ payload, options }: Shop<Options>, { cartSchema }: CartParts) => ({
  /** Undefined in a store without carts. */
  feedProducts: cartSchema && createFeedProducts(payload, options, cartSchema),
  missingProductFields: missingProductFields(payload, options, options.orders),
})

/** The product feed. */
export const catalogFeature: Feature = {
  build,
  actions: (
    { payload, options, log, clock }: Shop<Options>,
    { feedProducts: products, sites }: CatalogParts & SiteParts,
  ) => ({
    ...(products && {
      'marketingconnect/catalog/products': createProductFeed({
        products,
        sites,
        serverUrl: payload.config.serverURL,
        productUrl: options.productUrl,
        log,
        now: () => clock.now(),
      }),
    }),
  }),
}

import type { CartParts } from '../carts/feature.js'
import type { Feature } from '../feature.js'
import type { OptionsOf } from '../options-schema.js'
import type { orderOptions } from '../orders/order-options.js'
import type { Shop } from '../shop.js'
import type { SiteParts } from '../sites/feature.js'
import type { siteOptions } from '../sites/site-options.js'
import { missingProductFields } from './missing-product-fields.js'
import { createProductFeed } from './product-feed-action.js'
import { createPublicProducts } from './public-products.js'

interface Options extends OptionsOf<typeof orderOptions>, OptionsOf<typeof siteOptions> {}

export type ProductFeedParts = ReturnType<typeof build>

const build = ({ payload, options }: Shop<Options>, { cartSchema }: CartParts) => ({
  /** Undefined in a store without carts. */
  publicProducts: cartSchema && createPublicProducts(payload, options, cartSchema),
  missingProductFields: missingProductFields(payload, options, options.orders),
})

/** The product feed. */
export const productFeedFeature = {
  build,
  actions: (
    { payload, options, log, clock }: Shop<Options>,
    { publicProducts: products, sites }: ProductFeedParts & SiteParts,
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
} satisfies Feature

import type { CartParts } from '../../carts/parts.js'
import type { ProductFeedParts } from '../product-feed/parts.js'
import type { FormsParts } from '../forms/parts.js'
import type { HttpParts } from '../../core/http/parts.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { FeedsParts } from '../feeds/parts.js'
import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import type { SiteParts } from '../../shop/sites/parts.js'
import { createAddedToCart, createViewedProducts, type ReadViewedProduct } from './onsite-events.js'
import type { onsiteOptions } from './onsite-options.js'
import { createOnsiteVisitor } from './visitor-action.js'
import { defineParts } from '../../core/feature.js'

type Needed = HttpParts &
  SiteParts &
  MarketingSettingsParts &
  CartParts &
  FeedsParts &
  ProductFeedParts &
  FormsParts

function build({ options }: Shop<{ marketing: OptionsOf<typeof onsiteOptions> }>, parts: Needed) {
  const { marketingSettings, publicProducts } = parts
  const viewedProduct = publicProducts && createViewedProducts(publicProducts, parts)
  return {
    onsite: {
      /** The public API key, and the URL below which the script is; undefined without a key. */
      async script() {
        const { publicApiKey: companyId } = await marketingSettings.get()
        return companyId === '' ? undefined : { companyId, url: options.marketing.scriptUrl }
      },
      viewedProduct: ((page) =>
        viewedProduct?.(page) ?? Promise.resolve(undefined)) satisfies ReadViewedProduct,
    },
  }
}

export const onsiteParts = defineParts({
  build,
  actions(_shop: Shop, parts: Needed) {
    const { carts, shopCarts } = parts
    return {
      'marketingconnect/onsite/visitor': createOnsiteVisitor(parts),
      ...(carts &&
        shopCarts && {
          'marketingconnect/onsite/added-to-cart': createAddedToCart({
            ...parts,
            carts,
            shopCarts,
          }),
        }),
    }
  },
})

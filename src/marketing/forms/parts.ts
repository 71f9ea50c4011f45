import type { accountOptions } from '../accounts/account-options.js'
import type { AccountProfilesParts } from '../accounts/parts.js'
import type { CartParts } from '../../carts/parts.js'
import type { CatalogParts } from '../catalog/parts.js'
import type { DeliveryParts } from '../delivery/parts.js'
import type { HttpParts } from '../../core/http/parts.js'
import { createForwards } from '../../core/http/form-action.js'
import type { klaviyoOptions } from '../klaviyo/klaviyo-options.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { OptionsOf } from '../../core/options-schema.js'
import { hasOwnNumbers } from '../../shop/orders/order-fields.js'
import type { orderOptions } from '../../shop/orders/order-options.js'
import type { FeedsParts } from '../feeds/parts.js'
import type { Shop } from '../../core/shop.js'
import type { SiteParts } from '../../shop/sites/parts.js'
import { createIdentifyAction } from './marketing-action.js'
import { createPostThrottle } from './post-throttle.js'
import { createTrackAction } from './marketing-action.js'
import { defineParts, type Contributions } from '../../core/feature.js'

interface Options extends OptionsOf<typeof orderOptions> {
  marketing: OptionsOf<typeof accountOptions> & OptionsOf<typeof klaviyoOptions>
}

export type FormsParts = ReturnType<typeof build>

type Needed = FormsParts &
  AccountProfilesParts &
  HttpParts &
  SiteParts &
  MarketingSettingsParts &
  DeliveryParts &
  CartParts &
  CatalogParts &
  FeedsParts

const build = (shop: Shop, { counts }: HttpParts, { forwardable }: Contributions) => ({
  postThrottle: createPostThrottle(shop, counts),
  forwardable,
})

export const formsParts = defineParts({
  build,
  actions(shop: Shop<Options>, parts: Needed) {
    const { payload, options } = shop
    const orders = payload.collections[options.collections.orders]
    const forms = {
      ...shop,
      ...parts,
      forwards: createForwards({ actions: parts.forwardable() }),
    }
    return {
      'marketingconnect/api/identify': createIdentifyAction(forms),
      'marketingconnect/api/track': createTrackAction({
        ...forms,
        hasOwnNumbers: hasOwnNumbers(orders, options, options.orders),
      }),
    }
  },
  flush: (_shop: Shop, { postThrottle }: FormsParts) => postThrottle.flush(),
})

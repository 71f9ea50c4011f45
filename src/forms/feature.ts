import type { accountOptions } from '../accounts/account-options.js'
import { createAccountProfiles } from '../accounts/account-profile.js'
import type { CartParts } from '../carts/feature.js'
import type { DeliveryParts } from '../delivery/feature.js'
import { defineFeature, type Contributions } from '../feature.js'
import type { HttpParts } from '../http/feature.js'
import { createForwards } from '../http/forward.js'
import { createStoreActions } from '../http/store-action.js'
import type { klaviyoOptions } from '../klaviyo/klaviyo-options.js'
import type { MarketingSettingsParts } from '../marketing-settings/feature.js'
import type { OptionsOf } from '../options-schema.js'
import { hasOwnNumbers } from '../orders/order-fields.js'
import type { orderOptions } from '../orders/order-options.js'
import type { FeedsParts } from '../feeds/feature.js'
import type { Shop } from '../shop.js'
import type { SiteParts } from '../sites/feature.js'
import { formsOptions } from './forms-options.js'
import { createIdentifyAction } from './marketing-action.js'
import { createPostThrottle } from './post-throttle.js'
import { createFindOrderDetails, createTrackAction } from './track-action.js'

interface Options extends OptionsOf<typeof orderOptions>, OptionsOf<typeof formsOptions> {
  marketing: OptionsOf<typeof accountOptions> & OptionsOf<typeof klaviyoOptions>
}

export type FormsParts = ReturnType<typeof build>

type Needed = FormsParts &
  HttpParts &
  SiteParts &
  MarketingSettingsParts &
  DeliveryParts &
  CartParts &
  FeedsParts

const build = (shop: Shop, { counts }: HttpParts, { forwardable }: Contributions) => ({
  postThrottle: createPostThrottle(shop, counts),
  forwardable,
})

/** `identify` and `track`, and the store's own actions. */
export const formsFeature = defineFeature({
  options: formsOptions.shape,
  build,

  actions(shop: Shop<Options>, parts: Needed) {
    const { payload, options, log, customersSlug, effects } = shop
    const { carts, sites, details } = parts
    const { serverURL, csrf: origins } = payload.config
    const marketing = {
      form: parts.forms,
      forwards: createForwards({ actions: parts.forwardable() }),
      hooks: options.marketing,
      profileOf: createAccountProfiles(payload, options.marketing),
      throttle: parts.postThrottle,
      settings: parts.marketingSettings.get,
      outbox: parts.outbox,
      log,
      now: effects.now,
    }
    const orders = payload.collections[options.collections.orders]
    return {
      'marketingconnect/api/identify': createIdentifyAction(marketing),
      'marketingconnect/api/track': createTrackAction({
        ...marketing,
        timezone: options.timezone,
        findOrderDetails: createFindOrderDetails({ details, carts, sites, customersSlug }),
        own: { urls: [serverURL, ...origins], sites },
        hasOwnNumbers: hasOwnNumbers(orders, options, options.orders),
      }),
    }
  },

  forwardable: ({ options: { actions } }: Shop<Options>, { forms }: HttpParts) =>
    createStoreActions({ actions, forms }),

  flush: (_shop: Shop, { postThrottle }: FormsParts) => postThrottle.flush(),
})

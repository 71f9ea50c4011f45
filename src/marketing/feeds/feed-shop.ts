import type { accountOptions } from '../accounts/account-options.js'
import type { eventOptions } from '../events/event-options.js'
import type { klaviyoOptions } from '../klaviyo/klaviyo-options.js'
import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import type { siteOptions } from '../../shop/sites/site-options.js'

interface Options extends OptionsOf<typeof siteOptions> {
  marketing: OptionsOf<typeof accountOptions> &
    OptionsOf<typeof klaviyoOptions> &
    OptionsOf<typeof eventOptions>
}

export type FeedShop = Shop<Options>

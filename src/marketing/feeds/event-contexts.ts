import { homeUrl } from '../../shop/sites/home-url.js'
import type { accountOptions } from '../accounts/account-options.js'
import type { eventOptions } from '../events/event-options.js'
import type { klaviyoOptions } from '../klaviyo/klaviyo-options.js'
import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import type { siteOptions } from '../../shop/sites/site-options.js'
import type { CartParts } from '../../carts/parts.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { EventContext } from '../events/event-context.js'
import { parseUrl } from '../../core/http/public-origin.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { SiteParts } from '../../shop/sites/parts.js'

interface Options extends OptionsOf<typeof siteOptions> {
  marketing: OptionsOf<typeof accountOptions> &
    OptionsOf<typeof klaviyoOptions> &
    OptionsOf<typeof eventOptions>
}

export type FeedShop = Shop<Options>

export type ContextOf = ReturnType<typeof createEventContexts>

/** Give `cartNumber` for a cart: its restore link is made of it. */
export function createEventContexts(
  { payload, options, effects, log }: FeedShop,
  { marketingSettings, sites, restoreLinks }: MarketingSettingsParts & SiteParts & CartParts,
) {
  const home = homeUrl(payload)
  const place = parseUrl(home) ? home : 'https://origin.invalid/'
  return async ({
    siteId,
    cartNumber: number,
  }: {
    siteId: DocumentId | undefined
    cartNumber?: string
  }): Promise<EventContext> => {
    const { eventPrefix, builtInEvents, statusEvents } = await marketingSettings.get()
    const site = (await sites.find(siteId)) ?? (await sites.at(place))
    const baseUrl = site?.baseUrl ?? home
    return {
      eventPrefix,
      builtInEvents,
      statusEvents,
      site,
      baseUrl,
      productUrl: options.productUrl,
      checkoutUrl: number === undefined ? undefined : restoreLinks.url(baseUrl, { number }),
      hooks: options.marketing,
      now: effects.now(),
      log,
    }
  }
}

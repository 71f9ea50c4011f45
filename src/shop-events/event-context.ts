import type { DocumentId } from '../commerce/order.js'
import type { ProductUrl } from '../commerce/product-url.js'
import type { Site } from '../commerce/site.js'
import type { EventMessage } from '../marketing/message.js'
import type { MessageHooks } from '../marketing/message-hooks.js'
import type { MarketingSettings } from '../settings/marketing-settings.js'
import type { Log } from '../store/log.js'
import type { OrderHooks } from './order-hooks.js'
import type { ShopParts } from './shop-parts.js'

/** What the events of an order or a cart are made by. */
export interface EventContext extends Pick<
  MarketingSettings,
  'eventPrefix' | 'builtInEvents' | 'statusEvents'
> {
  /** The order's site: its base URL stands before paths. */
  site: Site | undefined
  productUrl: ProductUrl
  /** The link that brings the cart back; for cart events. */
  checkoutUrl: string | undefined
  /** What each message is made before the store's hooks see it. Absent: it stays as it is. */
  mark?: (message: EventMessage) => EventMessage
  hooks: MessageHooks & OrderHooks
  now: Date
  log: Log
}

export type EventContexts = ReturnType<typeof createEventContexts>

/** Gives the context of the moment; `cartNumber` is for the link that brings a cart back. */
export function createEventContexts(parts: ShopParts) {
  const { payload, options, settings, sites, restoreLinks, now } = parts
  const { serverURL } = payload.config
  const homeUrl = URL.canParse(serverURL) ? serverURL : 'https://origin.invalid/'

  return async (about: {
    siteId: DocumentId | undefined
    cartNumber?: string
  }): Promise<EventContext> => {
    const { siteId, cartNumber: number } = about
    const { eventPrefix, builtInEvents, statusEvents } = await settings.marketing()
    const site = (await sites.find(siteId)) ?? (await sites.at(homeUrl))
    const baseUrl = site?.baseUrl ?? serverURL
    return {
      eventPrefix,
      builtInEvents,
      statusEvents,
      site,
      productUrl: options.productUrl,
      checkoutUrl: number === undefined ? undefined : restoreLinks.url(baseUrl, { number }),
      hooks: options.marketing,
      now: now(),
      log: payload.logger,
    }
  }
}

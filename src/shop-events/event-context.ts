import type { ProductUrl } from '../commerce/product-url.js'
import type { DocumentId } from '../commerce/order.js'
import type { Site } from '../commerce/site.js'
import type { RestoreLinks } from '../http/restore-link.js'
import type { EventMessage } from '../marketing/message.js'
import type { MessageHooks } from '../marketing/message-hooks.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import type { MarketingSettings } from '../settings/marketing-settings.js'
import type { Log } from '../store/log.js'
import type { SettingsSource } from '../store/settings-source.js'
import type { Sites } from '../store/sites.js'
import type { OrderHooks } from './order-hooks.js'

/** What says how an order or a cart is told. */
export interface EventContext extends Pick<
  MarketingSettings,
  'eventPrefix' | 'builtInEvents' | 'statusEvents'
> {
  /** The order's site: its base URL stands before paths. */
  site: Site | undefined
  productUrl: ProductUrl
  /** The link that brings the cart back; for cart events. */
  checkoutUrl?: string
  /** What each message is made before the store's hooks see it. Absent: it stays as it is. */
  mark?: (message: EventMessage) => EventMessage
  hooks: MessageHooks & OrderHooks
  /** When it is told. */
  now: Date
  log: Log
}

export interface ContextParts {
  options: Pick<ResolvedOptions, 'marketing' | 'productUrl'>
  settings: Pick<SettingsSource, 'marketing'>
  sites: Pick<Sites, 'find' | 'at'>
  restoreLinks: Pick<RestoreLinks, 'url'>
  /** The store's own URL. */
  serverUrl: string
  log: Log
  now: () => Date
}

/** How an order or a cart is told at the moment; `cartNumber` is for the link that brings a cart back. */
export function createEventContexts(parts: ContextParts) {
  const { options, settings, sites, restoreLinks, serverUrl, log, now } = parts
  const homeUrl = URL.canParse(serverUrl) ? serverUrl : 'https://origin.invalid/'

  return async (about: {
    siteId: DocumentId | undefined
    cartNumber?: string
  }): Promise<EventContext> => {
    const { eventPrefix, builtInEvents, statusEvents } = await settings.marketing()
    const site = (await sites.find(about.siteId)) ?? (await sites.at(homeUrl))
    const checkoutUrl =
      about.cartNumber === undefined
        ? undefined
        : restoreLinks.url(site?.baseUrl ?? serverUrl, { number: about.cartNumber })
    return {
      eventPrefix,
      builtInEvents,
      statusEvents,
      site,
      productUrl: options.productUrl,
      ...(checkoutUrl !== undefined && { checkoutUrl }),
      hooks: options.marketing,
      now: now(),
      log,
    }
  }
}

export type EventContexts = ReturnType<typeof createEventContexts>

import type { PayloadRequest } from 'payload'
import type { DocumentId } from '../commerce/order.js'
import type { RestoreLinks } from '../http/restore-link.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import type { EventContext } from './event-context.js'
import type { Log } from '../store/log.js'
import type { PayloadSites } from '../store/payload/payload-sites.js'
import type { PayloadSettings } from '../store/payload/settings.js'

export interface ContextParts {
  options: Pick<ResolvedOptions, 'marketing' | 'productUrl'>
  settings: PayloadSettings
  sites: PayloadSites
  restoreLinks: Pick<RestoreLinks, 'url'>
  /** The store's own URL. */
  serverUrl: string
  log: Log
  now: () => Date
}

/** What is told of, as far as it says how. */
export interface AboutCart {
  siteId: DocumentId | undefined
  /** Of a cart: for the link that brings it back. */
  cartNumber?: string
}

/** How an order or a cart is told at the moment. */
export function createEventContexts(parts: ContextParts) {
  const { options, settings, sites, restoreLinks, serverUrl, log, now } = parts
  const homeUrl = URL.canParse(serverUrl) ? serverUrl : 'https://origin.invalid/'

  return async ({ siteId, cartNumber }: AboutCart, req?: PayloadRequest): Promise<EventContext> => {
    const { eventPrefix, builtInEvents, statusEvents } = await settings.marketing(req)
    const site = (await sites.find(siteId, req)) ?? (await sites.at(homeUrl, req))
    const url =
      cartNumber === undefined
        ? undefined
        : restoreLinks.url(site?.baseUrl ?? serverUrl, { number: cartNumber })
    return {
      eventPrefix,
      builtInEvents,
      statusEvents,
      site,
      productUrl: options.productUrl,
      ...(url !== undefined && { checkoutUrl: url }),
      hooks: options.marketing,
      now: now(),
      log,
    }
  }
}

export type EventContexts = ReturnType<typeof createEventContexts>

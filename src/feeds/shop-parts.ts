import { sql } from 'drizzle-orm'
import type { BasePayload, PayloadRequest } from 'payload'
import type { AccountOptions } from '../accounts/account-options.js'
import { isBusyDatabase, type Database } from '../database/database.js'
import type { MarketingSettings } from '../marketing-settings/marketing-settings.js'
import type { EventContext } from '../events/event-context.js'
import type { MessageHooks } from '../klaviyo/klaviyo-options.js'
import type { OrderReader } from '../orders/order-reader.js'
import type { IsAdminAccount } from '../payload/admin-access.js'
import type { ShopNames } from '../orders/shop-names.js'
import type { ShippingSettings } from '../shipping/shipping-settings.js'
import type { Sites } from '../sites/sites.js'
import type { ProductUrl } from '../sites/site-url.js'
import type { OrderHooks } from '../events/event-options.js'
import type { DocumentId } from '../database/document-id.js'
import { parseUrl } from '../http/parse-url.js'

/** What the parts of the feed need. */
export interface ShopParts {
  payload: BasePayload
  database: Database
  names: ShopNames
  reader: OrderReader
  accounts: AccountOptions
  hooks: MessageHooks & OrderHooks
  productUrl: ProductUrl
  settings: (req?: PayloadRequest) => Promise<MarketingSettings>
  shippingSettings: () => Promise<ShippingSettings>
  sites: Sites
  /** Makes the link that restores a cart; undefined when the base URL cannot be used. */
  restoreUrl: (baseUrl: string, cart: { number: string }) => string | undefined
  /** Slug of the customers' collection; undefined in a store without accounts. */
  customersSlug: string | undefined
  isAdminAccount: IsAdminAccount
  now: () => Date
}

/** Names in the log the document for which something failed. */
type About = Readonly<Record<string, unknown>>

/**
 * Runs work that calls the store's own code: `orders.map`, hooks, reading of products. When that code
 * fails, the failure is logged and the result is undefined.
 *
 * @throws the database's own error, when it is busy or cannot be reached.
 */
export async function guarded<Result>(
  { database, payload }: ShopParts,
  work: () => Promise<Result>,
  { sentence, about }: { sentence: string; about: About | (() => Promise<About>) },
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isBusyDatabase(error)) throw error
    await database.rows(sql`select 1`)
    const named = typeof about === 'function' ? await about() : about
    payload.logger.error({ err: error, ...named }, sentence)
    return undefined
  }
}

/**
 * Reads the current settings into the context of one order or cart. Give `cartNumber` for a cart: its
 * restore link is made of it.
 */
export async function eventContext(
  { payload, hooks, productUrl, settings, sites, restoreUrl, now }: ShopParts,
  { siteId, cartNumber: number }: { siteId: DocumentId | undefined; cartNumber?: string },
): Promise<EventContext> {
  const { eventPrefix, builtInEvents, statusEvents } = await settings()
  const { serverURL } = payload.config
  const homeUrl = parseUrl(serverURL) ? serverURL : 'https://origin.invalid/'
  const site = (await sites.find(siteId)) ?? (await sites.at(homeUrl))
  const baseUrl = site?.baseUrl ?? serverURL
  return {
    eventPrefix,
    builtInEvents,
    statusEvents,
    site,
    baseUrl,
    productUrl,
    checkoutUrl: number === undefined ? undefined : restoreUrl(baseUrl, { number }),
    hooks,
    now: now(),
    log: payload.logger,
  }
}

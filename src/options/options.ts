import type { StoredAlertSettings } from '../alerts/alert-settings.js'
import type { AccountOptions } from '../accounts/account-profile.js'
import type { ConsentHooks } from '../consent/consent-change.js'
import type { RestoreOptions } from '../carts/restore/restore-options.js'
import type { ErasureOptions } from '../erasure/erasure-options.js'
import type { TrustProxy } from '../http/client-ip.js'
import type { StoreAction } from '../http/store-action.js'
import type { MessageHooks } from '../klaviyo/message.js'
import type { OrderOptions } from '../orders/order.js'
import type { CollectionSlugs, FieldNames, ProductFieldNames } from '../orders/shop-names.js'
import type { IsAdmin } from '../payload/admin-access.js'
import type { ShippingOptions } from '../shipping/shipping-options.js'
import type { OrderHooks } from '../events/order-hooks.js'
import type { ProductUrl } from '../sites/site-url.js'
import type { MapSite } from '../sites/site.js'
import type { BuiltInEvent } from '../events/event-table.js'
import type { StoredMarketingSettings } from '../marketing-settings/marketing-settings.js'

/**
 * Options for Klaviyo. Functions among them may change or hold back what is sent, and may be async.
 * When one throws, the error is logged, and only the message that it was called for is not sent.
 */
export interface MarketingOptions extends MessageHooks, OrderHooks, AccountOptions, ConsentHooks {
  /**
   * What runs the delivery. `loop`: this process delivers as soon as something is stored. `task`: only
   * Payload's task `storeconnect-deliver` delivers, for serverless hosting; call
   * `GET /api/payload-jobs/run?queue=storeconnect` every minute. Default `loop`.
   */
  delivery?: 'loop' | 'task'
  /**
   * Marketing settings that apply until a merchant saves others. `$NAME` and `${NAME}` read environment
   * variables.
   */
  settings?: Partial<
    Omit<StoredMarketingSettings, 'builtInEvents'> & {
      builtInEvents: Partial<Record<BuiltInEvent, boolean>>
    }
  >
  /** The URL of Klaviyo's API. Default `https://a.klaviyo.com`. */
  apiUrl?: string
  /** The URL below which Klaviyo's script for the pages is. Default `https://static.klaviyo.com`. */
  scriptUrl?: string
}

/** Options for alerts. */
export interface AlertOptions {
  /**
   * Alert settings that apply until a merchant saves others. In `webhookUrl`, `webhookSecret` and
   * `healthToken`, `$NAME` and `${NAME}` read environment variables.
   */
  settings?: Partial<StoredAlertSettings>
}

/** The options of `storeConnect()`. Every option has a default. */
export interface StoreConnectOptions {
  /**
   * `false` removes the actions and hooks. The collections and fields stay, so that the database schema
   * does not change. Default `true`.
   */
  enabled?: boolean
  /**
   * The shop's time zone (IANA name). Dates without an offset are read in it. Default `UTC`.
   */
  timezone?: string
  /** The slugs of your collections, where they differ from the extension's. */
  collections?: Partial<CollectionSlugs>
  /**
   * Turns a document of `collections.sites` into a site, or into undefined when it is none. A store
   * needs it when it has its own collection of sites or tenants. Default: reads the fields of
   * Storeconnect's own collection.
   *
   * @example
   * mapSite: ({ id, slug, title, domain }) => ({ id, handle: slug, name: title, baseUrl: `https://${domain}`, … })
   */
  mapSite?: MapSite
  /**
   * The page where shoppers log in: a path below the site's base URL, or a URL. Default `/login`.
   */
  loginPath?: string
  /** How links restore abandoned carts. */
  restore?: RestoreOptions
  /** The names of the fields of orders and carts. Default of each: its own name. */
  fields?: Partial<FieldNames>
  /** The names of the fields of products and variants. */
  productFields?: Partial<ProductFieldNames>
  /**
   * Decides who may see and change settings, sites and Storeconnect's own collections. Default: the
   * users of the admin's collection or, where it has a `roles` or `role` field, its users with the role
   * `admin`. When customers are in that collection too, it must have such a field.
   */
  isAdmin?: IsAdmin
  /**
   * Returns the page of a product, for events and the product feed: a URL, a path below the site's base
   * URL, or blank for none. Default: `/products/<slug>`.
   *
   * @example
   * productUrl: ({ slug }, site) => (site?.language === 'de' ? `/artikel/${slug}` : `/items/${slug}`)
   */
  productUrl?: ProductUrl
  /**
   * The proxies in front of the shop, and the header in which they write the client IP. Storeconnect
   * throttles logins and posts for each client IP. Set this only when every request passes these
   * proxies, because clients can send the header too. Default: no header is trusted. `actionsListener`
   * then uses the address of the connection; Next.js and Payload's API see no address, and throttle
   * logins for each account only.
   *
   * @example
   * // One proxy, which appends the address that it sees, as most proxies do.
   * trustProxy: { header: 'x-forwarded-for', proxies: 1 }
   */
  trustProxy?: TrustProxy
  /** The store's own actions, made with `defineAction`. Forms may name them in `forward`. */
  actions?: readonly StoreAction[]
  /** How orders are read. */
  orders?: OrderOptions
  /** How people are erased. */
  erasure?: ErasureOptions
  /** Options for ShipStation. */
  shipping?: ShippingOptions
  /** Options for Klaviyo. */
  marketing?: MarketingOptions
  /** Options for alerts. */
  alerts?: AlertOptions
}

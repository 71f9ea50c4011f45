import type { PayloadRequest, TypeWithID } from 'payload'
import type { Order } from '../commerce/order.js'
import type { ProductUrl } from '../commerce/product-url.js'
import type { Site } from '../commerce/site.js'
import type { TrustProxy } from '../http/client-ip.js'
import type { MessageHooks } from '../marketing/message-hooks.js'
import type { Profile } from '../marketing/profile.js'
import type { OrderHooks } from '../shop-events/order-hooks.js'
import type { BuiltInEvent, StoredMarketingSettings } from '../settings/marketing-settings.js'
import type { StoredShippingSettings } from '../settings/shipping-settings.js'
import type { StoreAction } from './store-action.js'

/** Slugs of the collections that Storeconnect works with, where a store renamed them. */
export interface CollectionSlugs {
  /** Default `orders`. */
  orders: string
  /** Default `carts`. */
  carts: string
  /** Default `transactions`. */
  transactions: string
  /** Sites, added by Storeconnect unless the store has a collection of this slug. Default `sites`. */
  sites: string
}

/**
 * Names of the orders' and carts' fields, where a store renamed them or keeps the data elsewhere.
 * A dot reaches into a group or a named tab: `details.reference`. A field that exists is used as it
 * is; one that does not is added.
 */
export interface FieldNames {
  /** The unguessable number, 32 hex digits, the same on a cart and the order it becomes. Default `number`. */
  number: string
  /** The short, unique order number for people. Default `reference`. */
  reference: string
  /** The site on which a cart or order was made. Default `site`. */
  site: string
  /** Default `status`. */
  status: string
  /** Default `customer`. */
  customer: string
  /** Default `customerEmail`. */
  customerEmail: string
  /** The order's total in minor units. Default `amount`. */
  amount: string
  /** Default `currency`. */
  currency: string
  /** Default `items`. */
  items: string
  /** Default `transactions`. */
  transactions: string
  /** Default `shippingAddress`. */
  shippingAddress: string
  /** Default `billingAddress`. */
  billingAddress: string
  /** Minor units. Default `shippingAmount`. */
  shippingAmount: string
  /** Minor units. Default `taxAmount`. */
  taxAmount: string
  /** Minor units, positive. Default `discountAmount`. */
  discountAmount: string
  /** Default `discountCode`. */
  discountCode: string
  /** Default `shippingMethod`. */
  shippingMethod: string
  /** What the shopper wrote. Default `customerNotes`. */
  customerNotes: string
  /** What the staff wrote. Default `internalNotes`. */
  internalNotes: string
  /** Default `gift`. */
  gift: string
  /** Default `giftMessage`. */
  giftMessage: string
  /** The array of the tracking entry that Storeconnect adds. Default `tracking`. */
  tracking: string
}

/**
 * Where a product or variant keeps what is copied onto an order's line when it is bought. A dot
 * reaches into a group or a related document. The variant's value is used where it has one.
 */
export interface ProductFieldNames {
  /** Default `title`. */
  name: string
  /** Default `sku`. */
  sku: string
  /** Default `weight`. */
  weight: string
  /** `g`, `kg`, `oz` or `lb`. Default `weightUnit`. */
  weightUnit: string
  /** An upload, or a text with a URL. Default `image`. */
  image: string
  /** What the product's page is found by. Default `slug`. */
  slug: string
  /** A text or rich text, for the product feed. Default `description`. */
  description: string
  /** For the product feed: documents with a title or name, or texts. Default `categories`. */
  categories: string
}

/** An order document as Payload returns it at the depth that `mapOrder` asks for. */
export type OrderDocument = TypeWithID & Record<string, unknown>

export interface ShippingOptions {
  /**
   * Values that the shipping settings have until a merchant saves others. `$NAME` and `${NAME}`
   * read the environment.
   */
  settings?: Partial<StoredShippingSettings>
  /**
   * For a store that keeps an order's data elsewhere: turns a document of `orders` into the order
   * that is exported, in place of Storeconnect's own reading. Documents come through
   * `payload.find`, so reading them costs about ten times as much.
   */
  mapOrder?: (document: OrderDocument, context: { req: PayloadRequest }) => Order | Promise<Order>
  /** How deep the documents for `mapOrder` are populated. Default 2. */
  mapOrderDepth?: number
  /**
   * Called with each order before it is written. Return the order, changed or not, or `false` to
   * keep it back: it is then listed among the orders left out. Throwing leaves the order out too.
   *
   * @example
   * beforeExport: (order) => ({ ...order, customField1: order.gift ? 'GIFT' : '' })
   */
  beforeExport?: (order: Order) => Order | false | Promise<Order | false>
}

/**
 * The functions among these may change or veto what is told, and may be async. One that throws is
 * logged, and costs only the message that it was asked about.
 */
export interface MarketingOptions extends MessageHooks, OrderHooks {
  /**
   * Values that the marketing settings have until a merchant saves others. `$NAME` and `${NAME}`
   * read the environment.
   */
  settings?: Partial<
    Omit<StoredMarketingSettings, 'builtInEvents'> & {
      builtInEvents: Partial<Record<BuiltInEvent, boolean>>
    }
  >
  /**
   * What wakes the delivery. `loop`: this process, as soon as something is stored and as long as it
   * runs. `task`: only Payload's task `storeconnect-deliver`, for serverless hosting: have
   * `GET /api/payload-jobs/run?queue=storeconnect` called every minute. Default `loop`.
   */
  delivery?: 'loop' | 'task'
  /** Where the marketing platform's API is. Default `https://a.klaviyo.com`. */
  apiUrl?: string
  /**
   * What the marketing platform may be told of a logged-in user's account. Default: email, first
   * and last name, phone number where the users have such fields, and the id as external id.
   * Undefined: nothing, and no profile when the account is saved. What is not part of a profile is
   * left out with a warning; one that throws is logged, and nothing is told of the account then.
   *
   * @example
   * mapUser: (user) => ({ email: user.email, properties: { Club: user.club } })
   */
  mapUser?: (user: UserDocument) => Profile | undefined | Promise<Profile | undefined>
  /**
   * Whose profile is told anew when their account is saved: users with one of these roles, by the
   * users' `roles` or `role` field. Default: everybody in the customers' collection.
   */
  accountRoles?: readonly string[]
}

/** A user's document as Payload's authentication returns it. */
export type UserDocument = TypeWithID & { collection: string; email?: string } & Record<
    string,
    unknown
  >

/** A document of the sites' collection, at depth 0. */
export type SiteDocument = TypeWithID & Record<string, unknown>

/** What one of the restore's pages knows. All texts are in the site's language. */
export interface RestorePage {
  /** The site that the visitor is on; undefined in a store without sites. */
  site: Site | undefined
  /** The language of the page, BCP 47. */
  language: string
  heading: string
  explanation: string
  /** What the button says. */
  button: string
  /**
   * What the button does. The form's fields have to be sent along; those of the page that leads to
   * the login are none.
   */
  form: {
    method: 'get' | 'post'
    action: string
    fields: readonly { name: string; value: string }[]
  }
}

/** HTML of a whole page, or an answer of the store's own. */
export type RenderRestorePage = (
  page: RestorePage,
) => string | Response | Promise<string | Response>

export interface RestoreOptions {
  /**
   * Whether a link has to carry Storeconnect's signature: then nobody can make one but
   * `checkoutUrl()`, and links made before stop working. Default false.
   */
  signedLinks?: boolean
  /** Days that a link works, counted from when it was made. Links are signed then. Default: for ever. */
  linkDays?: number
  /**
   * Whether the code that a link carries as `coupon` may be written on the cart. Called with every
   * restored cart whose link has one. Default: codes are ignored.
   */
  acceptCoupon?: (coupon: { code: string; number: string }) => boolean | Promise<boolean>
  /** Pages of the store's own in place of Storeconnect's plain ones. */
  pages?: {
    /** For who is logged in and asks for somebody else's cart. */
    logOut?: RenderRestorePage
    /** For who is logged out and asks for the cart of an account. */
    logIn?: RenderRestorePage
  }
}

/** What a store's developer sets in code. Everything has a default. */
export interface StoreConnectOptions {
  /**
   * Off: no doors and no hooks. Collections and fields stay, and with them the database schema.
   * Default true.
   */
  enabled?: boolean
  /**
   * The site's system time zone (IANA name), in which date texts without an offset are read.
   * Default `UTC`.
   */
  timezone?: string
  collections?: Partial<CollectionSlugs>
  /**
   * For a store that has a collection of its own for sites or tenants, named in `collections.sites`:
   * turns one of its documents into a site, or into undefined when it is none. Default: the fields of
   * Storeconnect's own collection.
   *
   * @example
   * mapSite: ({ id, slug, title, domain }) => ({ id, handle: slug, name: title, baseUrl: `https://${domain}`, … })
   */
  mapSite?: (document: SiteDocument) => Site | undefined
  /**
   * Where shoppers log in (`loginPath` of the interface): a path below the site's base URL, or a URL.
   * Default `/login`.
   */
  loginPath?: string
  restore?: RestoreOptions
  fields?: Partial<FieldNames>
  productFields?: Partial<ProductFieldNames>
  /**
   * Who may see and change settings, sites and Storeconnect's own collections. Default: users of
   * the admin's collection; where that collection has a `roles` or `role` field (as it must when
   * customers live in it too), those with the role `admin`.
   */
  isAdmin?: (args: { req: PayloadRequest }) => boolean | Promise<boolean>
  /**
   * The page of a product, for events and the product feed: a URL, or a path below the site's base
   * URL; blank for none. Default: `/products/<slug>`.
   *
   * @example
   * productUrl: ({ slug }, site) => (site?.language === 'de' ? `/artikel/${slug}` : `/items/${slug}`)
   */
  productUrl?: ProductUrl
  /**
   * The proxies in front of the shop, and the header in which they tell who calls; logins and posts
   * are throttled by it. Set it only where every request passes them and they write that header:
   * anybody else can write it too. Default: no header is believed. `actionsListener` then counts by
   * the connection's address; Next.js and Payload's API see none, and count by account alone.
   *
   * @example
   * // One proxy that adds the address it sees to the list's end, as most do.
   * trustProxy: { header: 'x-forwarded-for', proxies: 1 }
   */
  trustProxy?: TrustProxy
  /** The store's own actions, made with `defineAction`. Forms may name them in `forward`. */
  actions?: readonly StoreAction[]
  shipping?: ShippingOptions
  marketing?: MarketingOptions
}

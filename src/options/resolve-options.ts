import { z } from 'zod'
import { defaultProductUrl, type ProductUrl } from '../commerce/product-url.js'
import {
  builtInEvents,
  defaultMarketingSettings,
  type StoredMarketingSettings,
} from '../settings/marketing-settings.js'
import {
  defaultShippingSettings,
  type StoredShippingSettings,
} from '../settings/shipping-settings.js'
import type {
  CollectionSlugs,
  FieldNames,
  MarketingOptions,
  ProductFieldNames,
  RestoreOptions,
  ShippingOptions,
  StoreConnectOptions,
} from './options.js'
import type { StoreAction } from './store-action.js'

/** The options, complete and checked: what every part receives. */
export interface ResolvedOptions {
  readonly enabled: boolean
  readonly timezone: string
  readonly collections: Readonly<CollectionSlugs>
  readonly fields: Readonly<FieldNames>
  readonly productFields: Readonly<ProductFieldNames>
  readonly isAdmin: StoreConnectOptions['isAdmin']
  readonly shipping: Readonly<
    Omit<ShippingOptions, 'settings' | 'mapOrderDepth'> & {
      settings: StoredShippingSettings
      mapOrderDepth: number
    }
  >
  readonly mapSite: StoreConnectOptions['mapSite']
  readonly loginPath: string
  readonly restore: Readonly<RestoreOptions>
  readonly trustProxy: StoreConnectOptions['trustProxy']
  readonly actions: readonly StoreAction[]
  readonly productUrl: ProductUrl
  readonly marketing: Readonly<
    Omit<MarketingOptions, 'settings' | 'delivery' | 'apiUrl'> & {
      settings: StoredMarketingSettings
      delivery: 'loop' | 'task'
      apiUrl: string
    }
  >
}

const defaultCollections: CollectionSlugs = {
  orders: 'orders',
  carts: 'carts',
  transactions: 'transactions',
  sites: 'sites',
}

const defaultFields: FieldNames = {
  number: 'number',
  reference: 'reference',
  site: 'site',
  status: 'status',
  customer: 'customer',
  customerEmail: 'customerEmail',
  amount: 'amount',
  currency: 'currency',
  items: 'items',
  transactions: 'transactions',
  shippingAddress: 'shippingAddress',
  billingAddress: 'billingAddress',
  shippingAmount: 'shippingAmount',
  taxAmount: 'taxAmount',
  discountAmount: 'discountAmount',
  discountCode: 'discountCode',
  shippingMethod: 'shippingMethod',
  customerNotes: 'customerNotes',
  internalNotes: 'internalNotes',
  gift: 'gift',
  giftMessage: 'giftMessage',
  tracking: 'tracking',
}

const defaultProductFields: ProductFieldNames = {
  name: 'title',
  sku: 'sku',
  weight: 'weight',
  weightUnit: 'weightUnit',
  image: 'image',
  slug: 'slug',
  description: 'description',
  categories: 'categories',
}

const name = z.string().min(1)
const headerName = z.string().regex(/^[\w-]+$/, { error: 'must be the name of a header' })
const callback = z.custom<(...args: never[]) => unknown>((value) => typeof value === 'function', {
  error: 'must be a function',
})

const optionsSchema = z.strictObject({
  enabled: z.boolean().optional(),
  timezone: z.string().refine(isTimezone, { error: 'is not an IANA time zone' }).optional(),
  collections: z.strictObject(namesLike(defaultCollections)).optional(),
  fields: z.strictObject(namesLike(defaultFields)).optional(),
  productFields: z.strictObject(namesLike(defaultProductFields)).optional(),
  mapSite: callback.optional(),
  loginPath: name.optional(),
  restore: z
    .strictObject({
      signedLinks: z.boolean().optional(),
      linkDays: z.number().positive().optional(),
      acceptCoupon: callback.optional(),
      pages: z.strictObject({ logOut: callback.optional(), logIn: callback.optional() }).optional(),
    })
    .optional(),
  isAdmin: callback.optional(),
  shipping: z
    .strictObject({
      settings: z
        .strictObject({
          username: z.string(),
          password: z.string(),
          storeField: z.string(),
          pageSize: z.union([z.number(), z.string(), z.null()]),
          failOnInvalidOrder: z.boolean(),
          statusHandle: z.string(),
          matrixField: z.string(),
          entryType: z.string(),
          carrierField: z.string(),
          serviceField: z.string(),
          trackingNumberField: z.string(),
          readDatesAsUtc: z.boolean(),
        })
        .partial()
        .optional(),
      mapOrder: callback.optional(),
      mapOrderDepth: z.int().min(0).max(10).optional(),
      beforeExport: callback.optional(),
    })
    .optional(),
  productUrl: callback.optional(),
  trustProxy: z.strictObject({ header: headerName, proxies: z.int().min(1).optional() }).optional(),
  // Each action was checked when it was defined.
  actions: z.array(z.custom<StoreAction>((value) => typeof value === 'object')).optional(),
  marketing: z
    .strictObject({
      settings: z
        .strictObject({
          privateApiKey: z.string(),
          eventPrefix: z.string(),
          builtInEvents: z
            .strictObject(
              Object.fromEntries(builtInEvents.map((event) => [event, z.boolean().optional()])),
            )
            .optional(),
          statusEvents: z.array(z.strictObject({ status: z.string(), event: z.string() })),
          accountUpdates: z.boolean(),
          allowedEvents: z.array(z.string()),
          allowedLists: z.array(z.string()),
          postsPerAddress: z.number().min(0),
          postsPerNetwork: z.number().min(0),
          foldMinutes: z.number().min(0),
          retentionDays: z.number().min(0),
        })
        .partial()
        .optional(),
      delivery: z.enum(['loop', 'task']).optional(),
      apiUrl: z.url({ protocol: /^https?$/ }).optional(),
      mapUser: callback.optional(),
      accountRoles: z.array(name).optional(),
      beforeProfile: callback.optional(),
      beforeEvent: callback.optional(),
      orderProperties: callback.optional(),
      lineItemProperties: callback.optional(),
    })
    .optional(),
})

/**
 * Completes the options and checks them once, at start-up.
 *
 * @throws {TypeError} naming each option that is wrong.
 */
export function resolveOptions(options: StoreConnectOptions): ResolvedOptions {
  const checked = optionsSchema.safeParse(options)
  if (!checked.success) {
    throw new TypeError(`storeConnect(): ${z.prettifyError(checked.error)}`)
  }
  const { shipping = {}, marketing = {} } = options
  return {
    enabled: options.enabled ?? true,
    timezone: options.timezone ?? 'UTC',
    collections: complete(defaultCollections, options.collections),
    fields: complete(defaultFields, options.fields),
    productFields: complete(defaultProductFields, options.productFields),
    isAdmin: options.isAdmin,
    mapSite: options.mapSite,
    loginPath: options.loginPath ?? '/login',
    restore: options.restore ?? {},
    shipping: {
      ...shipping,
      settings: complete(defaultShippingSettings, shipping.settings),
      mapOrderDepth: shipping.mapOrderDepth ?? 2,
    },
    productUrl: options.productUrl ?? defaultProductUrl,
    trustProxy: options.trustProxy,
    actions: options.actions ?? [],
    marketing: {
      ...marketing,
      settings: marketingPresets(marketing.settings),
      delivery: marketing.delivery ?? 'loop',
      apiUrl: (marketing.apiUrl ?? 'https://a.klaviyo.com').replace(/\/$/, ''),
    },
  }
}

const marketingPresets = (given: MarketingOptions['settings'] = {}): StoredMarketingSettings => ({
  ...complete<Omit<StoredMarketingSettings, 'builtInEvents'>>(defaultMarketingSettings, given),
  builtInEvents: complete(defaultMarketingSettings.builtInEvents, given.builtInEvents),
})

/** The defaults under what is given. `undefined`, such as a variable that is not set, gives nothing. */
const complete = <Values extends object>(
  defaults: Values,
  given: Partial<Values> = {},
): Values => ({
  ...defaults,
  ...(Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<Values>),
})

function isTimezone(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function namesLike<Names extends object>(names: Names) {
  return Object.fromEntries(Object.keys(names).map((key) => [key, name.optional()]))
}

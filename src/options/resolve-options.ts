import { z } from 'zod'
import { alertSettingsSchema } from '../alerts/alert-settings.js'
import type { RenderRestorePage, RestoreOptions } from '../carts/restore/restore-options.js'
import { orderChoices, type ErasureOptions } from '../erasure/erasure-options.js'
import type { StoreAction } from '../http/store-action.js'
import { marketingSettingsSchema } from '../marketing-settings/marketing-settings.js'
import { orderFieldRows, type OrderFieldName, type OrderOptions } from '../orders/order.js'
import type { CollectionSlugs, FieldNames, ProductFieldNames } from '../orders/shop-names.js'
import type { IsAdmin } from '../payload/admin-access.js'
import type { ShippingOptions } from '../shipping/shipping-options.js'
import { shippingSettingsSchema } from '../shipping/shipping-settings.js'
import { defaultProductUrl, type ProductUrl } from '../sites/site-url.js'
import type { MapSite } from '../sites/site.js'
import { schemaOf } from './options-schema.js'
import type { MarketingOptions, StoreConnectOptions } from './options.js'

const defaultCollections: CollectionSlugs = {
  orders: 'orders',
  carts: 'carts',
  transactions: 'transactions',
  addresses: 'addresses',
  sites: 'sites',
}

const defaultFields: FieldNames = {
  ...(Object.fromEntries(orderFieldRows.map(([name]) => [name, name])) as Record<
    OrderFieldName,
    string
  >),
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
const webUrl = z.url({ protocol: /^https?$/ })
const callback = <Callback>() =>
  z.custom<NonNullable<Callback>>((value) => typeof value === 'function', {
    error: 'must be a function',
  })

const optionsSchema = schemaOf<StoreConnectOptions>()(
  z.strictObject({
    enabled: z.boolean().optional(),
    timezone: z.string().refine(isTimezone, { error: 'is not an IANA time zone' }).optional(),
    collections: z.strictObject(namesLike(defaultCollections)).optional(),
    fields: z.strictObject(namesLike(defaultFields)).optional(),
    productFields: z.strictObject(namesLike(defaultProductFields)).optional(),
    mapSite: callback<MapSite>().optional(),
    loginPath: name.optional(),
    restore: z
      .strictObject({
        signedLinks: z.boolean().optional(),
        linkDays: z.number().positive().optional(),
        acceptCoupon: callback<RestoreOptions['acceptCoupon']>().optional(),
        pages: z
          .strictObject({
            logOut: callback<RenderRestorePage>().optional(),
            logIn: callback<RenderRestorePage>().optional(),
          })
          .optional(),
      })
      .optional(),
    isAdmin: callback<IsAdmin>().optional(),
    orders: z
      .strictObject({
        map: callback<OrderOptions['map']>().optional(),
        depth: z.int().min(0).max(10).optional(),
      })
      .optional(),
    shipping: z
      .strictObject({
        settings: shippingSettingsSchema,
        beforeExport: callback<ShippingOptions['beforeExport']>().optional(),
      })
      .optional(),
    erasure: z
      .strictObject({
        orders: z.enum(orderChoices).optional(),
        keepFields: z.array(z.string()).readonly().optional(),
        onErase: callback<ErasureOptions['onErase']>().optional(),
      })
      .optional(),
    productUrl: callback<ProductUrl>().optional(),
    trustProxy: z
      .strictObject({ header: headerName, proxies: z.int().min(1).optional() })
      .optional(),
    // Each action was checked when it was defined.
    actions: z
      .array(z.custom<StoreAction>((value) => typeof value === 'object'))
      .readonly()
      .optional(),
    marketing: z
      .strictObject({
        settings: marketingSettingsSchema,
        delivery: z.enum(['loop', 'task']).optional(),
        apiUrl: webUrl.optional(),
        scriptUrl: webUrl.optional(),
        mapUser: callback<MarketingOptions['mapUser']>().optional(),
        accountRoles: z.array(name).readonly().optional(),
        beforeProfile: callback<MarketingOptions['beforeProfile']>().optional(),
        beforeEvent: callback<MarketingOptions['beforeEvent']>().optional(),
        orderProperties: callback<MarketingOptions['orderProperties']>().optional(),
        lineItemProperties: callback<MarketingOptions['lineItemProperties']>().optional(),
        onConsentChange: callback<MarketingOptions['onConsentChange']>().optional(),
      })
      .optional(),
    alerts: z.strictObject({ settings: alertSettingsSchema }).optional(),
  }),
)

/**
 * Completes the options and checks them once, at start-up.
 *
 * @throws {TypeError} naming each option that is wrong.
 */
export function resolveOptions(options: StoreConnectOptions) {
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
    orders: { ...options.orders, depth: options.orders?.depth ?? 2 },
    shipping: {
      ...shipping,
      settings: shippingSettingsSchema.parse(shipping.settings),
    },
    erasure: options.erasure ?? {},
    productUrl: options.productUrl ?? defaultProductUrl,
    trustProxy: options.trustProxy,
    actions: options.actions ?? [],
    marketing: {
      ...marketing,
      settings: marketingSettingsSchema.parse(marketing.settings),
      delivery: marketing.delivery ?? 'loop',
      apiUrl: urlOr(marketing.apiUrl, 'https://a.klaviyo.com'),
      scriptUrl: urlOr(marketing.scriptUrl, 'https://static.klaviyo.com'),
    },
    alerts: { settings: alertSettingsOf(options) },
  }
}

/** A URL without a slash at its end. */
const urlOr = (given: string | undefined, byDefault: string): string =>
  (given ?? byDefault).replace(/\/$/, '')

const alertSettingsOf = ({ alerts }: StoreConnectOptions) =>
  alertSettingsSchema.parse(alerts?.settings)

/** The complete and checked options. Every part receives these. */
export type ResolvedOptions = Readonly<ReturnType<typeof resolveOptions>>

/** The given values over the defaults. A value that is `undefined` leaves the default. */
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
  const schemas = Object.keys(names).map((key) => [key, name.optional()])
  return Object.fromEntries(schemas) as Record<keyof Names, z.ZodOptional<z.ZodString>>
}

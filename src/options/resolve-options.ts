import { z } from 'zod'
import { alertSettingsSchema } from '../alerts/alert-settings.js'
import { defaultProductUrl } from '../sites/site-url.js'
import { erasureOptionsSchema } from '../erasure/erasure-options.js'
import { marketingSettingsSchema } from '../klaviyo/marketing-settings.js'
import { shippingSettingsSchema } from '../shipping/shipping-settings.js'
import type { CollectionSlugs, FieldNames, ProductFieldNames } from '../orders/shop-names.js'
import type { StoreConnectOptions } from './options.js'
import { restoreOptionsSchema } from '../carts/restore/restore-options.js'
import { orderFieldRows, type OrderFieldName } from '../orders/order.js'
import type { StoreAction } from '../http/store-action.js'

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
  restore: restoreOptionsSchema.optional(),
  isAdmin: callback.optional(),
  orders: z
    .strictObject({
      map: callback.optional(),
      depth: z.int().min(0).max(10).optional(),
    })
    .optional(),
  shipping: z
    .strictObject({
      settings: shippingSettingsSchema,
      beforeExport: callback.optional(),
    })
    .optional(),
  erasure: erasureOptionsSchema.optional(),
  productUrl: callback.optional(),
  trustProxy: z.strictObject({ header: headerName, proxies: z.int().min(1).optional() }).optional(),
  // Each action was checked when it was defined.
  actions: z.array(z.custom<StoreAction>((value) => typeof value === 'object')).optional(),
  marketing: z
    .strictObject({
      settings: marketingSettingsSchema,
      delivery: z.enum(['loop', 'task']).optional(),
      apiUrl: z.url({ protocol: /^https?$/ }).optional(),
      scriptUrl: z.url({ protocol: /^https?$/ }).optional(),
      mapUser: callback.optional(),
      accountRoles: z.array(name).optional(),
      beforeProfile: callback.optional(),
      beforeEvent: callback.optional(),
      orderProperties: callback.optional(),
      lineItemProperties: callback.optional(),
    })
    .optional(),
  alerts: z.strictObject({ settings: alertSettingsSchema }).optional(),
})

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
  return Object.fromEntries(Object.keys(names).map((key) => [key, name.optional()]))
}

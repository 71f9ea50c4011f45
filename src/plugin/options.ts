import english from 'zod/v4/locales/en.js'
import * as z from 'zod/mini'
import type { AccountOptions } from '../marketing/accounts/account-options.js'
import type { AlertOptions } from '../merchant/alerts/alert-options.js'
import type { GivenRestoreOptions } from '../carts/restore-options.js'
import type { ConsentHooks } from '../marketing/consent/consent-options.js'
import type { DeliveryOptions } from '../core/workers/delivery-mode.js'
import type { ErasureOptions } from '../merchant/erasure/erasure-options.js'
import type { OrderHooks } from '../marketing/events/event-options.js'
import type { Feature } from '../core/feature.js'
import type { All, AnyFeature } from './features.js'
import type { GivenHttpOptions } from '../core/http/http-options.js'
import type { CouponOptions } from '../marketing/coupons/coupon-options.js'
import type { KlaviyoOptions } from '../marketing/klaviyo/klaviyo-options.js'
import type { MarketingSettingsOptions } from '../marketing/settings/marketing-settings-options.js'
import type { OnsiteOptions } from '../marketing/onsite/onsite-options.js'
import type { ReviewOptions } from '../marketing/reviews/review-options.js'
import { schemaOf, type OptionsOf } from '../core/options-schema.js'
import type { GivenOrderOptions } from '../shop/orders/order-options.js'
import type { GivenPaymentOptions } from '../shop/payments/payment-options.js'
import type { ShippingOptions } from '../shipping/shipping-options.js'
import { shopOptions, type GivenShopOptions, type Products } from '../core/shop.js'
import type { GivenSiteOptions } from '../shop/sites/site-options.js'

/**
 * Options for Klaviyo. Functions among them may change or hold back what is sent, and may be async.
 * When one throws, the error is logged, and only the message that it was called for is not sent.
 */
export interface MarketingOptions
  extends
    MarketingSettingsOptions,
    DeliveryOptions,
    KlaviyoOptions,
    OnsiteOptions,
    AccountOptions,
    OrderHooks,
    ConsentHooks,
    ReviewOptions,
    CouponOptions {}

/** The options of `storeConnect()`. Every option has a default. */
export interface StoreConnectOptions
  extends
    GivenShopOptions,
    GivenHttpOptions,
    GivenSiteOptions,
    GivenOrderOptions,
    GivenPaymentOptions,
    GivenRestoreOptions {
  /** How people are erased. */
  erasure?: ErasureOptions
  /**
   * Options for ShipStation. `false` leaves ShipStation out: its collections, fields, actions, settings and code.
   * `docs/options.md` says what becomes of what is stored.
   */
  shipping?: ShippingOptions | false
  /** Options for Klaviyo. `false` leaves Klaviyo out in the same way. A store has at least one of the two. */
  marketing?: MarketingOptions | false
  /** Options for alerts. */
  alerts?: AlertOptions
}

/** The complete and checked options. Every feature reads its own. */
export type ResolvedOptions = OptionsOf<typeof shopOptions> & { products: Products } & All<
    ResolvedBy<AnyFeature>
  >

type ResolvedBy<One> = One extends One ? OptionsOf<SchemaOf<One>> : never

type TakenBy<One> = One extends One ? Partial<z.input<SchemaOf<One>>> : never

/** The schema of a feature's options; never for a feature without options. */
type SchemaOf<One> =
  One extends Feature<infer Shape>
    ? [keyof Shape] extends [never]
      ? never
      : z.ZodMiniObject<Shape>
    : never

type OptionsSchema = z.ZodMiniType<
  Omit<ResolvedOptions, 'products'>,
  z.input<typeof shopOptions> & All<TakenBy<AnyFeature>>
>

/** The options of these features. Those that several features have in one group are merged. */
function schemaOfAll(features: readonly Feature[]): z.ZodMiniType {
  const groups: Record<string, z.ZodMiniObject> = {}
  const others: Record<string, z.ZodMiniType> = { ...shopOptions.shape }
  for (const [name, option] of features.flatMap(({ options = {} }) => Object.entries(options))) {
    const group = groups[name]
    if (!(option instanceof z.ZodMiniObject)) others[name] = option
    else groups[name] = group ? z.extend(group, option.shape) : option
  }
  const absent = Object.entries(groups).map(([name, group]) => [name, z.prefault(group, {})])
  return z.strictObject({ ...others, ...Object.fromEntries(absent) })
}

/** The options that features take: a product that is off has none. */
interface TakenOptions extends Omit<StoreConnectOptions, keyof Products> {
  shipping?: ShippingOptions
  marketing?: MarketingOptions
}

// It compiles only when the interface above has the options of every feature, and no others.
const schemaOfFeatures = (features: readonly Feature[]) =>
  schemaOf<TakenOptions>()(schemaOfAll(features) as OptionsSchema)

/**
 * Which products the store has.
 *
 * @throws {TypeError} when it has none.
 */
export function productsOf({ shipping, marketing }: StoreConnectOptions): Products {
  const products = { shipping: shipping !== false, marketing: marketing !== false }
  if (!products.shipping && !products.marketing) {
    throw new TypeError(
      'storeConnect(): `shipping` and `marketing` are both off, so nothing is left. Leave one of them on, or switch Storeconnect off as a whole with `enabled: false`.',
    )
  }
  return products
}

/**
 * Completes the options and checks them once, at start-up.
 *
 * @param features Those of the store's products (`featuresOf`).
 * @throws {TypeError} naming each option that is wrong.
 */
export function resolveOptions(
  options: StoreConnectOptions,
  features: readonly Feature[],
): ResolvedOptions {
  const products = productsOf(options)
  const isOff = (name: string) => products[name as keyof Products] === false
  const taken =
    products.shipping && products.marketing
      ? options
      : Object.fromEntries(Object.entries(options).filter(([name]) => !isOff(name)))
  // The language is not set for all of zod, because the store may use zod itself.
  const checked = schemaOfFeatures(features).safeParse(taken, { error: english().localeError })
  if (!checked.success) {
    throw new TypeError(`storeConnect(): ${z.prettifyError(checked.error)}`)
  }
  return { ...checked.data, products }
}

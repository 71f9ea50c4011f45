import { z } from 'zod'
import type { AccountOptions, accountOptions } from './accounts/account-options.js'
import type { AlertOptions, alertOptions } from './alerts/alert-options.js'
import type { GivenRestoreOptions, restoreOptions } from './carts/restore-options.js'
import type { ConsentHooks, consentOptions } from './consent/consent-options.js'
import type { DeliveryOptions, deliveryOptions } from './delivery/delivery-options.js'
import type { ErasureOptions, erasureOptions } from './erasure/erasure-options.js'
import type { OrderHooks, eventOptions } from './events/event-options.js'
import { features } from './features.js'
import type { GivenFormsOptions, formsOptions } from './forms/forms-options.js'
import type { GivenHttpOptions, httpOptions } from './http/http-options.js'
import type { KlaviyoOptions, klaviyoOptions } from './klaviyo/klaviyo-options.js'
import type {
  MarketingSettingsOptions,
  marketingSettingsOptions,
} from './marketing-settings/marketing-settings-options.js'
import type { OnsiteOptions, onsiteOptions } from './onsite/onsite-options.js'
import type { OptionsOf } from './options-schema.js'
import type { GivenOrderOptions, orderOptions } from './orders/order-options.js'
import type { ShippingOptions, shippingOptions } from './shipping/shipping-options.js'
import { shopOptions, type GivenShopOptions } from './shop-options.js'
import type { GivenSiteOptions, siteOptions } from './sites/site-options.js'

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
    ConsentHooks {}

/** The options of `storeConnect()`. Every option has a default. */
export interface StoreConnectOptions
  extends
    GivenShopOptions,
    GivenHttpOptions,
    GivenSiteOptions,
    GivenOrderOptions,
    GivenRestoreOptions,
    GivenFormsOptions {
  /** How people are erased. */
  erasure?: ErasureOptions
  /** Options for ShipStation. */
  shipping?: ShippingOptions
  /** Options for Klaviyo. */
  marketing?: MarketingOptions
  /** Options for alerts. */
  alerts?: AlertOptions
}

/** The complete and checked options. Every feature reads its own. */
export interface ResolvedOptions
  extends
    OptionsOf<typeof shopOptions>,
    OptionsOf<typeof httpOptions>,
    OptionsOf<typeof siteOptions>,
    OptionsOf<typeof orderOptions>,
    OptionsOf<typeof restoreOptions>,
    OptionsOf<typeof formsOptions> {
  erasure: OptionsOf<typeof erasureOptions>
  shipping: OptionsOf<typeof shippingOptions>
  marketing: OptionsOf<typeof marketingSettingsOptions> &
    OptionsOf<typeof deliveryOptions> &
    OptionsOf<typeof klaviyoOptions> &
    OptionsOf<typeof onsiteOptions> &
    OptionsOf<typeof accountOptions> &
    OptionsOf<typeof eventOptions> &
    OptionsOf<typeof consentOptions>
  alerts: OptionsOf<typeof alertOptions>
}

/** The options of all features. Those that several features have in one group are merged. */
function schemaOfAll() {
  const groups: Record<string, z.ZodObject> = {}
  const others: Record<string, z.ZodType> = { ...shopOptions.shape }
  for (const [name, option] of features.flatMap(({ options = {} }) => Object.entries(options))) {
    if (option instanceof z.ZodObject) groups[name] = groups[name]?.extend(option.shape) ?? option
    else others[name] = option
  }
  const absent = Object.entries(groups).map(([name, group]) => [name, group.prefault({})])
  return z.strictObject({ ...others, ...Object.fromEntries(absent) })
}

const optionsSchema = schemaOfAll()

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
  return checked.data as unknown as ResolvedOptions
}

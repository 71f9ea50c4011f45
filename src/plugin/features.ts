import { accountsFeature } from '../carts/accounts/feature.js'
import { accountProfilesFeature } from '../marketing/accounts/feature.js'
import { alertsFeature } from '../merchant/alerts/feature.js'
import { cartsFeature } from '../carts/feature.js'
import { restoreFeature } from '../carts/restore/feature.js'
import { consentFeature } from '../marketing/consent/feature.js'
import { deliveryFeature } from '../marketing/delivery/feature.js'
import { erasureFeature } from '../merchant/erasure/feature.js'
import type { Feature } from '../core/feature.js'
import { feedsFeature } from '../marketing/feeds/feature.js'
import { formsFeature } from '../marketing/forms/feature.js'
import { historyFeature } from '../marketing/history/feature.js'
import { httpFeature } from '../core/http/feature.js'
import { klaviyoFeature } from '../marketing/klaviyo/feature.js'
import { marketingSettingsFeature } from '../marketing/settings/feature.js'
import { metricsFeature } from '../marketing/metrics/feature.js'
import { onsiteFeature } from '../marketing/onsite/feature.js'
import { ordersFeature } from '../shop/orders/feature.js'
import { overviewFeature } from '../merchant/overview/feature.js'
import { productFeedFeature } from '../marketing/product-feed/feature.js'
import { shippingFeature } from '../shipping/feature.js'
import { storyFeature } from '../merchant/story/feature.js'
import { sitesFeature } from '../shop/sites/feature.js'

/** All features, each above those that it stands on. Only this file knows them all. */
const listed = [
  httpFeature,
  sitesFeature,
  ordersFeature,
  shippingFeature,
  klaviyoFeature,
  accountProfilesFeature,
  marketingSettingsFeature,
  deliveryFeature,
  consentFeature,
  cartsFeature,
  accountsFeature,
  feedsFeature,
  productFeedFeature,
  historyFeature,
  erasureFeature,
  formsFeature,
  restoreFeature,
  onsiteFeature,
  metricsFeature,
  storyFeature,
  overviewFeature,
  alertsFeature,
] as const

export type AnyFeature = (typeof listed)[number]

export const features: readonly Feature[] = listed

/** A type that is all types of a union at once. */
export type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  one: infer Whole,
) => void
  ? Whole
  : never

type BuiltBy<One> = One extends Pick<Feature<never, infer Built>, 'parts'> ? Built : never

type BuiltParts = All<BuiltBy<AnyFeature>>

declare module '../core/installation.js' {
  interface Parts extends BuiltParts {}
}

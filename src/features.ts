import { accountsFeature } from './accounts/feature.js'
import { alertsFeature } from './alerts/feature.js'
import { cartsFeature } from './carts/feature.js'
import { restoreFeature } from './carts/restore/feature.js'
import { consentFeature } from './consent/feature.js'
import { deliveryFeature } from './delivery/feature.js'
import { erasureFeature } from './erasure/feature.js'
import type { Feature } from './feature.js'
import { feedsFeature } from './feeds/feature.js'
import { formsFeature } from './forms/feature.js'
import { historyFeature } from './history/feature.js'
import { httpFeature } from './http/feature.js'
import type { FrontDoor } from './http/handle.js'
import { klaviyoFeature } from './klaviyo/feature.js'
import { marketingSettingsFeature } from './marketing-settings/feature.js'
import { metricsFeature } from './metrics/feature.js'
import { onsiteFeature } from './onsite/feature.js'
import { ordersFeature } from './orders/feature.js'
import { overviewFeature } from './overview/feature.js'
import { productFeedFeature } from './product-feed/feature.js'
import { shippingFeature } from './shipping/feature.js'
import { storyFeature } from './story/feature.js'
import { sitesFeature } from './sites/feature.js'

/** All features, each above those that it stands on. Only this file knows them all. */
const listed = [
  httpFeature,
  sitesFeature,
  ordersFeature,
  shippingFeature,
  klaviyoFeature,
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

/** What there is once for each Payload instance: the parts of all features, by their names. */
export type Parts = All<BuiltBy<AnyFeature>> & { handle: FrontDoor }

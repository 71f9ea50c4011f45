import { accountsFeature } from './accounts/feature.js'
import { alertsFeature } from './alerts/feature.js'
import { cartsFeature } from './carts/feature.js'
import { restoreFeature } from './carts/restore/feature.js'
import { consentFeature } from './consent/feature.js'
import { lazy } from './database/cached-reading.js'
import { deliveryFeature } from './delivery/feature.js'
import { erasureFeature } from './erasure/feature.js'
import type { Actions, Contributions, Feature } from './feature.js'
import { feedsFeature } from './feeds/feature.js'
import { formsFeature } from './forms/feature.js'
import { historyFeature } from './history/feature.js'
import { httpFeature } from './http/feature.js'
import { createFrontDoor, type FrontDoor } from './http/front-door.js'
import type { httpOptions } from './http/http-options.js'
import { klaviyoFeature } from './klaviyo/feature.js'
import { marketingSettingsFeature } from './marketing-settings/feature.js'
import { metricsFeature } from './metrics/feature.js'
import { onsiteFeature } from './onsite/feature.js'
import type { OptionsOf } from './options-schema.js'
import { ordersFeature } from './orders/feature.js'
import { overviewFeature } from './overview/feature.js'
import { productFeedFeature } from './product-feed/feature.js'
import { shippingFeature } from './shipping/feature.js'
import type { Shop } from './shop.js'
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

type BuiltBy<One> = One extends Pick<Feature<never, infer Built>, 'build'> ? Built : never

/** What there is once for each Payload instance: the parts of all features, by their names. */
export type Parts = All<BuiltBy<AnyFeature>> & { handle: FrontDoor }

/** Builds the parts of a Payload instance. */
export function buildParts(shop: Shop<OptionsOf<typeof httpOptions>>): Parts {
  const parts = {} as Parts
  const merged = (of: 'actions' | 'forwardable') =>
    lazy(() => withoutRepeats(features.map((feature) => feature[of]?.(shop, parts) ?? {})))
  const forwardable = merged('forwardable')
  const own = merged('actions')
  const contributions: Contributions = {
    forwardable,
    actions: lazy(() => withoutRepeats([forwardable(), own()])),
    workers: lazy(() => features.flatMap((feature) => feature.workers?.(shop, parts) ?? [])),
    async flush() {
      for (const feature of features) await feature.flush?.(shop, parts)
    },
  }
  for (const feature of features) Object.assign(parts, feature.build?.(shop, parts, contributions))
  const { problemPage, sessions, visitorOf } = parts
  const answer = createFrontDoor({
    actions: contributions.actions(),
    log: shop.log,
    effects: shop.effects,
    problemPage,
    sessions,
    visitorOf,
    trustProxy: shop.options.trustProxy,
  })
  parts.handle = async (...given) => {
    const reply = await answer(...given)
    for (const feature of features) feature.answered?.(shop, parts)
    return reply
  }
  return parts
}

/** @throws {TypeError} when two actions have the same path. */
function withoutRepeats(given: readonly Actions[]): Actions {
  const paths = given.flatMap((actions) => Object.keys(actions))
  const repeated = paths.find((path, index) => paths.indexOf(path) !== index)
  if (repeated !== undefined) {
    throw new TypeError(`storeConnect(): there are two actions "${repeated}".`)
  }
  return Object.assign({}, ...given) as Actions
}

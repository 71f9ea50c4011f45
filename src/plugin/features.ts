import { accountsFeature } from '../carts/accounts/feature.js'
import { cartsFeature } from '../carts/feature.js'
import { restoreFeature } from '../carts/restore/feature.js'
import type { Feature } from '../core/feature.js'
import { httpFeature } from '../core/http/feature.js'
import type { Products } from '../core/shop.js'
import { workersFeature } from '../core/workers/feature.js'
import type { marketingFeatures } from '../marketing/features.js'
import { createAlertsFeature } from '../merchant/alerts/feature.js'
import type { MatterRows } from '../merchant/alerts/conditions.js'
import { erasureFeature } from '../merchant/erasure/feature.js'
import { overviewFeature } from '../merchant/overview/feature.js'
import { peopleFeature } from '../merchant/people/feature.js'
import { storyFeature } from '../merchant/story/feature.js'
import type { shippingFeatures } from '../shipping/features.js'
import { ordersFeature } from '../shop/orders/feature.js'
import { paymentsFeature } from '../shop/payments/feature.js'
import { sitesFeature } from '../shop/sites/feature.js'

/** What every shop has, each above those that it stands on. */
const below = [httpFeature, workersFeature, sitesFeature, ordersFeature, paymentsFeature] as const
const carts = [cartsFeature, accountsFeature, restoreFeature] as const
const merchant = [erasureFeature, storyFeature, peopleFeature, overviewFeature] as const

type Always =
  (typeof below | typeof carts | typeof merchant)[number] | ReturnType<typeof createAlertsFeature>
type OfShipping = (typeof shippingFeatures)[number]
type OfMarketing = (typeof marketingFeatures)[number]

export type AnyFeature = Always | OfShipping | OfMarketing

/** All features of a store with these products. The code of a product that is off is not loaded. */
export async function featuresOf({ shipping, marketing }: Products): Promise<readonly Feature[]> {
  const features: readonly Feature[] = [
    ...below,
    ...(shipping ? (await import('../shipping/features.js')).shippingFeatures : []),
    ...carts,
    ...(marketing ? (await import('../marketing/features.js')).marketingFeatures : []),
    ...merchant,
  ]
  const matters = Object.assign({}, ...features.map((feature) => feature.matters)) as MatterRows
  return [...features, createAlertsFeature(matters)]
}

/** A type that is all types of a union at once. */
export type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  one: infer Whole,
) => void
  ? Whole
  : never

type BuiltBy<One> = One extends Pick<Feature<never, infer Built>, 'parts'> ? Built : never

type BuiltAlways = All<BuiltBy<Always>>
type BuiltByProducts = Partial<All<BuiltBy<OfShipping>> & All<BuiltBy<OfMarketing>>>

declare module '../core/installation.js' {
  interface Parts extends BuiltAlways, BuiltByProducts {}
}

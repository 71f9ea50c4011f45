import type { Config } from 'payload'
import type { ProductFeedParts } from '../product-feed/feature.js'
import type { DeliveryParts } from '../delivery/feature.js'
import type { Feature, StoreConfig } from '../feature.js'
import type { MarketingSettingsParts } from '../marketing-settings/feature.js'
import type { ShippingParts } from '../shipping/feature.js'
import type { Shop } from '../shop.js'
import { overviewEndpoints } from './overview-endpoints.js'
import { overviewGlobal, withDashboardCard } from './overview-global.js'
import { createOverview } from './overview.js'

export type OverviewParts = ReturnType<typeof build>

type Needed = ShippingParts & MarketingSettingsParts & DeliveryParts & ProductFeedParts

const build = ({ payload, clock }: Shop, parts: Needed) => ({
  overview: createOverview({
    payload,
    sends: parts.sends,
    shipStation: parts.shipStation,
    shippingSettings: parts.shippingSettings.get,
    marketingSettings: parts.marketingSettings.get,
    deliveryStatus: parts.deliveryStatus,
    shop: { shipments: parts.shipments, hasStoreField: parts.hasStoreField },
    recheck: () => parts.recheckSkipped({ failuresOnly: false }),
    missingProductFields: parts.missingProductFields,
    wake: () => parts.delivery.wake(),
    now: () => clock.now(),
  }),
})

/** What the merchant's overview page shows. */
export const overviewFeature: Feature = {
  config: (config: Config, { config: given, isAdmin, options }: StoreConfig): Config => ({
    ...config,
    ...(options.enabled && {
      admin: withDashboardCard(config.admin, { isAdmin, timezone: options.timezone }),
    }),
    // The overview comes before the settings.
    globals: (config.globals ?? []).toSpliced(
      given.globals?.length ?? 0,
      0,
      overviewGlobal({
        isAdmin,
        timezone: options.timezone,
        ordersSlug: options.collections.orders,
        isHidden: !options.enabled,
      }),
    ),
  }),
  endpoints: (store: StoreConfig<object, OverviewParts & ShippingParts>) =>
    overviewEndpoints(store),
  build,
}

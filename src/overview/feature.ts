import type { Config } from 'payload'
import type { DeliveryParts } from '../delivery/feature.js'
import type { ProductFeedParts } from '../product-feed/feature.js'
import { defineFeature, type StoreConfig } from '../feature.js'
import type { ShippingParts } from '../shipping/feature.js'
import type { Shop } from '../shop.js'
import { overviewEndpoints } from './overview-endpoints.js'
import { overviewGlobal, withDashboardCard } from './overview-global.js'
import { createOverview } from './overview.js'
import type { Read } from './read-overview.js'

const build = (shop: Shop, read: Read & ProductFeedParts) => ({
  overview: createOverview(shop, read),
})

/** What the merchant's overview page shows. */
export const overviewFeature = defineFeature({
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
        sitesSlug: options.collections.sites,
        isHidden: !options.enabled,
      }),
    ),
  }),
  endpoints: (store: StoreConfig<object, DeliveryParts & ShippingParts>) =>
    overviewEndpoints(store),
  build,
})

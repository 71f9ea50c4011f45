import type { Config } from 'payload'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import { defineFeature, type StoreConfig } from '../../core/feature.js'
import type { ShippingParts } from '../../shipping/parts.js'
import { overviewEndpoints } from './overview-endpoints.js'
import { overviewGlobal, withDashboardCard } from './overview-global.js'

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
        paymentsSlug: options.collections.transactions,
        isHidden: !options.enabled,
      }),
    ),
  }),
  endpoints: (store: StoreConfig<object, DeliveryParts & ShippingParts>) =>
    overviewEndpoints(store),
  parts: async (products) => (await import('./parts.js')).loadOverviewParts(products),
})

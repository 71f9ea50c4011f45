import type { Config } from 'payload'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import { defineFeature, type StoreConfig } from '../../core/feature.js'
import type { ShippingParts } from '../../shipping/parts.js'
import { overviewEndpoints } from './overview-endpoints.js'
import { overviewGlobal, withDashboardCard, type OverviewProps } from './overview-global.js'

export const overviewFeature = defineFeature({
  config: (config: Config, { config: given, isAdmin, options }: StoreConfig): Config => ({
    ...config,
    ...(options.enabled && {
      admin: withDashboardCard(config.admin, propsOf({ isAdmin, options })),
    }),
    // The overview comes before the settings.
    globals: (config.globals ?? []).toSpliced(
      given.globals?.length ?? 0,
      0,
      overviewGlobal({ ...propsOf({ isAdmin, options }), isHidden: !options.enabled }),
    ),
  }),
  endpoints: (store: StoreConfig<object, DeliveryParts & ShippingParts>) =>
    overviewEndpoints(store),
  parts: async (products) => (await import('./parts.js')).loadOverviewParts(products),
})

const propsOf = ({
  isAdmin,
  options,
}: Pick<StoreConfig, 'isAdmin' | 'options'>): OverviewProps => ({
  isAdmin,
  timezone: options.timezone,
  ordersSlug: options.collections.orders,
  paymentsSlug: options.collections.transactions,
  sitesSlug: options.collections.sites,
})

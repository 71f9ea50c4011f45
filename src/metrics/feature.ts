import { defineFeature, type StoreConfig } from '../feature.js'
import type { OrderShop } from '../orders/order-options.js'
import { metricEndpoints } from './metric-endpoints.js'
import { createMetrics, type MetricsNeed } from './metrics.js'

export type MetricsParts = ReturnType<typeof build>

const build = (shop: OrderShop, parts: MetricsNeed) => ({ metrics: createMetrics(shop, parts) })

/** Klaviyo's metrics: an example of each event, and which of them Klaviyo counts by. */
export const metricsFeature = defineFeature({
  build,
  endpoints: (store: StoreConfig<object, MetricsParts>) => metricEndpoints(store),
})

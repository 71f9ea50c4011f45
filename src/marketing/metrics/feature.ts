import { defineFeature, type StoreConfig } from '../../core/feature.js'
import { metricEndpoints } from './metric-endpoints.js'
import type { MetricsParts } from './parts.js'

/** Klaviyo's metrics: an example of each event, and which of them Klaviyo counts by. */
export const metricsFeature = defineFeature({
  endpoints: (store: StoreConfig<object, MetricsParts>) => metricEndpoints(store),
  parts: async () => (await import('./parts.js')).metricsParts,
})

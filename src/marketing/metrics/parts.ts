import type { OrderShop } from '../../shop/orders/order-options.js'
import { createMetrics, type MetricsNeed } from './metrics.js'
import { defineParts } from '../../core/feature.js'

export type MetricsParts = ReturnType<typeof build>

const build = (shop: OrderShop, parts: MetricsNeed) => ({ metrics: createMetrics(shop, parts) })

export const metricsParts = defineParts({
  build,
})

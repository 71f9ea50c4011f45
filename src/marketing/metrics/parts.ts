import type { OrderShop } from '../../shop/orders/order-options.js'
import { featureMatters } from '../../core/matter.js'
import type { Shop } from '../../core/shop.js'
import { metricsMatters } from './matters.js'
import { createMetrics, type MetricsNeed } from './metrics.js'
import type { ReviewsGiven } from '../reviews/review-notes.js'
import { defineParts } from '../../core/feature.js'

export type MetricsParts = ReturnType<typeof build>

const build = (shop: OrderShop & Shop<ReviewsGiven>, parts: MetricsNeed) => ({
  metrics: createMetrics(shop, parts),
})

export const metricsParts = defineParts({
  build,
  matters: (_shop: Shop, { metrics }: MetricsParts) =>
    featureMatters(metricsMatters, async () => ({ lastMapping: await metrics.lastCheck() })),
})

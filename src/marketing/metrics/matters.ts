import { gone, holding, matterRows, sinceOf } from '../../core/matter.js'
import type { Metrics } from './metrics.js'

export interface MetricsFacts {
  lastMapping: Awaited<ReturnType<Metrics['lastCheck']>>
}

const row = matterRows<MetricsFacts>()

export const metricsMatters = {
  metricsUnmapped: row({
    of: 'Klaviyo',
    page: '/globals/marketing-settings',
    show: 'overviewMarketingSettings',
    step: 'stepMetrics',
    read({ facts: { lastMapping } }) {
      if (lastMapping === undefined) return holding({})
      const { openCount: count, at } = lastMapping
      return count === 0 ? gone : holding({ text: 'metricsUnset', count, ...sinceOf(at) })
    },
  }),
} as const

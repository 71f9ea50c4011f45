import { gone, open, matterRows, sinceOf } from '../../core/matter.js'
import type { Metrics } from './metrics.js'

export interface MetricsFacts {
  lastMapping: Awaited<ReturnType<Metrics['lastCheck']>>
}

const row = matterRows<MetricsFacts>()

export const metricsMatters = {
  metricsUnmapped: row({
    of: 'Klaviyo',
    adminPath: '/globals/marketing-settings',
    show: 'overviewMarketingSettings',
    step: 'stepMetrics',
    read({ facts: { lastMapping } }) {
      if (lastMapping === undefined) return open({})
      const { openCount: count, at } = lastMapping
      return count === 0 ? gone : open({ text: 'metricsUnset', count, ...sinceOf(at) })
    },
  }),
} as const

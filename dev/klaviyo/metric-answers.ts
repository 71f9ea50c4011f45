import type { Answer, AnswerParts, Call } from './answer-parts.ts'
import { ApiError, notFound } from './api-error.ts'
import { metricSlots } from './bodies/mapped-metric-body.ts'
import { onlyKnown, pageOf, readChoices, readFields } from './query.ts'
import { mappedMetricResource, metricResource } from './resources.ts'

interface MappingBody {
  data: {
    id: string
    relationships?: Partial<Record<'metric' | 'custom-metric', { data?: { id: string } }>>
  }
}

const METRIC_FIELDS = ['created', 'id', 'integration', 'name', 'updated']
const MAPPING_FIELDS = ['id', 'updated']

export const metricAnswers = ({ account }: AnswerParts) => ({
  metrics({ url }: Call): Answer {
    onlyKnown(url.searchParams, ['fields[metric]', 'page[cursor]'])
    readFields(url.searchParams, 'metric', METRIC_FIELDS)
    const size = { default: 200, max: 200 }
    const page = pageOf([...account.metrics.values()], { url, origin: url.origin, size })
    const data = page.entries.map((metric) => metricResource(url.origin, metric))
    return { status: 200, document: { data, links: page.links } }
  },

  'mapped-metrics'({ url }: Call): Answer {
    onlyKnown(url.searchParams, ['fields[mapped-metric]', 'include'])
    readFields(url.searchParams, 'mapped-metric', MAPPING_FIELDS)
    const included = readChoices(url.searchParams, 'include', ['metric', 'custom-metric'])
    const data = metricSlots.map((slot) =>
      mappedMetricResource(url.origin, slot, account.mappings.get(slot) ?? { updatedAt: 0 }),
    )
    const named = [...account.mappings.values()].map(({ metric }) => metric)
    const metrics = [...account.metrics.values()].filter(({ id }) => named.includes(id))
    return {
      status: 200,
      document: {
        data,
        links: { self: new URL(url.pathname, url.origin).href },
        ...(included && { included: metrics.map((metric) => metricResource(url.origin, metric)) }),
      },
    }
  },

  'map-metric'({ url, id, body }: Call): Answer {
    onlyKnown(url.searchParams, ['fields[mapped-metric]'])
    const { data } = body as MappingBody
    if (data.id !== id) {
      const detail = `The id of the body must be ${id}.`
      throw new ApiError(409, [{ code: 'conflict', detail, pointer: '/data/id' }])
    }
    const metric = data.relationships?.metric?.data?.id
    const customMetric = data.relationships?.['custom-metric']?.data?.id
    const isKnown = [...account.metrics.values()].some((known) => known.id === metric)
    if (metric !== undefined && !isKnown) {
      const pointer = '/data/relationships/metric/data/id'
      throw notFound(`A metric with id ${metric} does not exist.`, pointer)
    }
    const mapping = account.mapMetric(id, {
      ...(metric !== undefined && { metric }),
      ...(customMetric !== undefined && { customMetric }),
    })
    return { status: 200, document: { data: mappedMetricResource(url.origin, id, mapping) } }
  },
})

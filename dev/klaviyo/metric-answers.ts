import type { Answer, AnswerParts, Call } from './answer-parts.ts'
import { ApiError, notFound } from './api-error.ts'
import { metricSlots, type Body } from './bodies.ts'
import { pageOf } from './query.ts'
import { mappedMetricResource, metricResource } from './resources.ts'

export const metricAnswers = ({ account }: AnswerParts) => ({
  metrics({ url }: Call): Answer {
    const size = { default: 200, max: 200 }
    const page = pageOf([...account.metrics.values()], { url, origin: url.origin, size })
    const data = page.entries.map((metric) => metricResource(url.origin, metric))
    return { status: 200, document: { data, links: page.links } }
  },

  'mapped-metrics'({ url }: Call): Answer {
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
        ...(url.searchParams.has('include') && {
          included: metrics.map((metric) => metricResource(url.origin, metric)),
        }),
      },
    }
  },

  'map-metric'({ url, id, body }: Call): Answer {
    const { data } = body as Body<'map-metric'>
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

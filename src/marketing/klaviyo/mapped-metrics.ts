import * as z from 'zod/mini'
import type { CallContext } from './ask-api.js'
import { ask, call, nextCursor, pageLinks, klaviyoError } from './call.js'
import type { Reply } from './call-answer.js'
import type { MetricSlot } from './metric-slots.js'

export interface AccountMetrics {
  /** The id of the metric that a slot names. A slot that names none is absent. */
  slots: ReadonlyMap<string, string>
  /** `isOurs`: events that come by the API belong to it, and not to another shop's integration. */
  metrics: { id: string; name: string; isOurs: boolean }[]
}

const related = z.nullish(z.object({ data: z.nullish(z.object({ id: z.string() })) }))

const mappedDocument = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      relationships: z.nullish(z.object({ metric: related, 'custom-metric': related })),
    }),
  ),
})

const metricsDocument = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      attributes: z.object({
        name: z.nullish(z.string()),
        integration: z.nullish(z.object({ name: z.nullish(z.string()) })),
      }),
    }),
  ),
  links: pageLinks,
})

/** The limit also ends a cycle of next pages. */
const pageLimit = 20

/** What events of the API and of Klaviyo's script on the pages belong to. */
const ownIntegration = 'API'

/** Reads what each slot names, and the metrics that events of ours can belong to. */
export async function readMappedMetrics(context: CallContext): Reply<AccountMetrics> {
  const mapped = await ask(context, { path: '/api/mapped-metrics', schema: mappedDocument })
  if ('failed' in mapped) return mapped
  const found = await readMetrics(context)
  if ('failed' in found) return found
  const slots = mapped.document.data.flatMap(({ id, relationships }): [string, string][] => {
    const metric = relationships?.metric?.data ?? relationships?.['custom-metric']?.data
    return metric ? [[id, metric.id]] : []
  })
  return { ...found, slots: new Map(slots) }
}

async function readMetrics(context: CallContext): Reply<Pick<AccountMetrics, 'metrics'>> {
  const metrics: AccountMetrics['metrics'] = []
  const query: Record<string, string> = { 'fields[metric]': 'name,integration' }
  for (let page = 1; ; page++) {
    const answer = await ask(context, { path: '/api/metrics', query, schema: metricsDocument })
    if ('failed' in answer) return answer
    const { document, ...rate } = answer
    for (const { id, attributes } of document.data) {
      const integration = attributes.integration?.name ?? ownIntegration
      metrics.push({ id, name: attributes.name ?? '', isOurs: integration === ownIntegration })
    }
    const cursor = nextCursor(document.links)
    if (cursor === undefined || page === pageLimit) return { metrics, ...rate }
    query['page[cursor]'] = cursor
  }
}

/** Has a slot name this metric. */
export async function mapMetric(
  context: CallContext,
  slot: MetricSlot,
  metric: string,
): Reply<object> {
  const { reading, ...rate } = await call(context, {
    method: 'PATCH',
    path: `/api/mapped-metrics/${slot}`,
    body: {
      data: {
        type: 'mapped-metric',
        id: slot,
        relationships: { metric: { data: { type: 'metric', id: metric } } },
      },
    },
  })
  if (reading.is === 'taken') return rate
  if (reading.is !== 'rejected') return { failed: reading, ...rate }
  const { status, errors } = reading
  return { failed: { is: 'refused', error: klaviyoError(status, errors[0]) }, ...rate }
}

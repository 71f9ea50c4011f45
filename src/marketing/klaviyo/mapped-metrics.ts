import * as z from 'zod/mini'
import type { CallContext } from './ask-api.js'
import { ask, askPages, call, klaviyoError, pageLinks } from './call.js'
import type { Reply } from './call-answer.js'

/** What Klaviyo counts by: each slot names the metric of the account that it is read from. */
export const metricSlots = [
  'revenue',
  'ordered_product',
  'started_checkout',
  'added_to_cart',
  'viewed_product',
  'refunded_sales',
  'cancelled_sales',
] as const

export type MetricSlot = (typeof metricSlots)[number]

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

/** What events of the API and of Klaviyo's script on the pages belong to. */
const ownIntegration = 'API'

/** Reads what each slot names, and the metrics that events of ours can belong to. */
export async function readMappedMetrics(context: CallContext): Reply<AccountMetrics> {
  const mapped = await ask(context, { path: '/api/mapped-metrics', schema: mappedDocument })
  if ('failed' in mapped) return mapped
  const query = { 'fields[metric]': 'name,integration' }
  const question = { path: '/api/metrics', query, schema: metricsDocument }
  const found = await askPages(context, question, 20)
  if ('failed' in found) return found
  const { pages, rate } = found
  const slots = mapped.document.data.flatMap(({ id, relationships }): [string, string][] => {
    const metric = relationships?.metric?.data ?? relationships?.['custom-metric']?.data
    return metric ? [[id, metric.id]] : []
  })
  const metrics = pages
    .flatMap(({ data }) => data)
    .map(({ id, attributes: { name, integration } }) => ({
      id,
      name: name ?? '',
      isOurs: (integration?.name ?? ownIntegration) === ownIntegration,
    }))
  return { slots: new Map(slots), metrics, ...(rate && { rate }) }
}

/** Has a slot name this metric. */
export async function mapMetric(
  context: CallContext,
  slot: MetricSlot,
  metric: string,
): Reply<object> {
  const { result, ...rate } = await call(context, {
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
  if (result.is === 'taken') return rate
  if (result.is !== 'rejected') return { failed: result, ...rate }
  const { status, errors } = result
  return { failed: { is: 'refused', error: klaviyoError(status, errors[0]) }, ...rate }
}

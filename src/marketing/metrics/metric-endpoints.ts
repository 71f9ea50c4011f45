import type { BasePayload, Endpoint, PayloadRequest } from 'payload'
import { klaviyoErrorText } from '../klaviyo/klaviyo-error-text.js'
import { jsonEndpoints, type EndpointAccess } from '../../core/payload/admin-endpoint.js'
import { translatorOf } from '../../core/payload/label.js'
import type { SlotReport, Mappings, Metrics, TestEventProgress } from './metrics.js'
import { exampleEventsPath, mappedMetricsPath, testEventPath } from '../admin-paths.js'

/** What Klaviyo's slots name, and why that is not known or could not be changed. */
export interface MappingReport {
  slots: SlotReport[]
  problem?: string
}

/** How far a test event has come; nothing when there is none. */
export type TestEventReport = Partial<Omit<TestEventProgress, 'error'>> & { problem?: string }

export function metricEndpoints(
  access: EndpointAccess & { partsOf: (payload: BasePayload) => Promise<{ metrics: Metrics }> },
): Endpoint[] {
  const endpoint = jsonEndpoints(access)
  return [
    endpoint('post', exampleEventsPath, async ({ metrics }) => ({
      count: await metrics.sendExamples(),
    })),
    endpoint('post', testEventPath, async ({ metrics }) => ({ id: await metrics.sendTest() })),
    endpoint('get', testEventPath, async ({ metrics }, req) => {
      const { error, ...progress } =
        (await metrics.testProgress(req.searchParams.get('id') ?? '')) ?? {}
      const problem = error && klaviyoErrorText(error, translatorOf(req))
      return { ...progress, ...(problem !== undefined && { problem }) } satisfies TestEventReport
    }),
    endpoint('get', mappedMetricsPath, async ({ metrics }, req) =>
      reported(await metrics.mappings(), req),
    ),
    endpoint('post', mappedMetricsPath, async ({ metrics }, req) =>
      reported(await metrics.mapMetrics(), req),
    ),
  ]
}

function reported(mappings: Mappings | undefined, req: PayloadRequest): MappingReport {
  const translate = translatorOf(req)
  if (mappings === undefined) return { slots: [], problem: translate('apiKeyMissing') }
  const { slots, failed } = mappings
  if (failed === undefined) return { slots }
  const { error, scope } = failed
  if (error.status === 403) {
    const off = translate('metricsOff')
    return { slots, problem: translate('problemScopes', { off, scopes: scope }) }
  }
  const reason = `${klaviyoErrorText(error, translate)} (${error.code})`
  return { slots, problem: translate('connectionFailed', { reason }) }
}

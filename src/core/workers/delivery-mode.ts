import type { OptionsOf } from '../options-schema.js'
import type { deliveryOptions } from './delivery-options.js'

/**
 * How a process delivers. `preview`: not at all, because it shares the database and the Klaviyo account of
 * the shop, and is no shop.
 */
export type DeliveryMode = 'loop' | 'functions' | 'task' | 'preview'

type Environment = Readonly<Record<string, string | undefined>>

/** Hosts that stop a process between requests set one of these. */
const serverlessVariables = ['VERCEL', 'NETLIFY', 'AWS_LAMBDA_FUNCTION_NAME']

/** Whether the host stops this process when nobody asks it for something. */
const isServerless = (environment: Environment = process.env): boolean =>
  serverlessVariables.some((name) => (environment[name] ?? '') !== '')

export function deliveryMode(
  { delivery, deliverFromPreviews }: OptionsOf<typeof deliveryOptions>,
  environment: Environment = process.env,
): DeliveryMode {
  const { VERCEL_ENV: stage = 'production' } = environment
  if (stage !== 'production' && !deliverFromPreviews) return 'preview'
  if (delivery !== 'auto') return delivery
  return isServerless(environment) ? 'functions' : 'loop'
}

/** Whether the delivery begins as soon as Payload has started. `next build` opens Payload too, but must not deliver. */
export const runsLoop = (options: OptionsOf<typeof deliveryOptions>): boolean =>
  deliveryMode(options) === 'loop' && process.env.NEXT_PHASE !== 'phase-production-build'

/** What a merchant should know of the mode; undefined when it fits the host. */
export function modeProblem(
  mode: DeliveryMode,
  environment: Environment = process.env,
): 'preview' | 'stopped' | undefined {
  if (mode === 'preview') return 'preview'
  return mode === 'loop' && isServerless(environment) ? 'stopped' : undefined
}

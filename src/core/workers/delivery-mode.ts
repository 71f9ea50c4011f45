import { type OptionsOf, schemaOf } from '../options-schema.js'
import * as z from 'zod/mini'

export interface DeliveryOptions {
  /**
   * What runs the delivery. `loop`: this process delivers as soon as something is stored. `functions`: each
   * process delivers after its responses, for hosts that stop a process between requests. `task`: only Payload's
   * task `storeconnect-deliver` and the run URL deliver. `auto`: `functions` where the environment has `VERCEL`,
   * `NETLIFY` or `AWS_LAMBDA_FUNCTION_NAME`, else `loop`. Default `auto`.
   */
  delivery?: 'auto' | 'loop' | 'functions' | 'task'
  /**
   * How many seconds the run URL and Payload's task deliver at most, from 10 to 800. Keep it below the
   * longest time that your host lets a function run. Default 50.
   */
  runSeconds?: number
  /**
   * Whether a process whose `VERCEL_ENV` is not `production` delivers, sends alerts and erases at Klaviyo, too.
   * Default `false`.
   */
  deliverFromPreviews?: boolean
}

export const deliveryOptions = schemaOf<DeliveryOptions>()(
  z.strictObject({
    delivery: z._default(z.enum(['auto', 'loop', 'functions', 'task']), 'auto'),
    runSeconds: z._default(z.int().check(z.minimum(10), z.maximum(800)), 50),
    deliverFromPreviews: z._default(z.boolean(), false),
  }),
)

/** `preview`: not at all, as it shares the database and the Klaviyo account of the shop, and is no shop. */
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

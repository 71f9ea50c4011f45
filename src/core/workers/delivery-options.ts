import * as z from 'zod/mini'
import { schemaOf } from '../options-schema.js'

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

import { z } from 'zod'
import { schemaOf } from '../options-schema.js'

export interface DeliveryOptions {
  /**
   * What runs the delivery. `loop`: this process delivers as soon as something is stored. `task`: only
   * Payload's task `storeconnect-deliver` delivers, for serverless hosting; call
   * `GET /api/payload-jobs/run?queue=storeconnect` every minute. Default `loop`.
   */
  delivery?: 'loop' | 'task'
}

export const deliveryOptions = schemaOf<DeliveryOptions>()(
  z.strictObject({ delivery: z.enum(['loop', 'task']).default('loop') }),
)

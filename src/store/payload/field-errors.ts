import type { AfterErrorHook } from 'payload'
import { z } from 'zod'

/**
 * Says beside a field why it was refused. Payload knows such an error by its class, which is another
 * one where a build holds two copies of Payload; here it is known by what it says.
 */
export const withFieldErrors: AfterErrorHook = ({ error, result }) => {
  const refusal = refusalSchema.safeParse(error).data
  const isTold = result?.errors.some((each) => 'data' in each && each.data !== undefined)
  if (!refusal || isTold) return
  return { response: { errors: [refusal] } }
}

const refusalSchema = z.object({
  name: z.literal('ValidationError'),
  message: z.string(),
  data: z.looseObject({
    errors: z.array(z.looseObject({ message: z.string(), path: z.string() })).min(1),
  }),
})

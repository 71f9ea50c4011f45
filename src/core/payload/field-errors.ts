import type { AfterErrorHook } from 'payload'
import * as z from 'zod/mini'

/**
 * Payload knows its validation error by the class, which fails where a build has two copies of Payload; this
 * goes by the shape.
 */
export const withFieldErrors: AfterErrorHook = ({ error, result }) => {
  const refusal = refusalSchema.safeParse(error).data
  const isComplete = result?.errors.some((each) => 'data' in each && each.data !== undefined)
  if (!refusal || isComplete) return
  return { response: { errors: [refusal] } }
}

const refusalSchema = z.object({
  name: z.literal('ValidationError'),
  message: z.string(),
  data: z.looseObject({
    errors: z.array(z.looseObject({ message: z.string(), path: z.string() })).check(z.minLength(1)),
  }),
})

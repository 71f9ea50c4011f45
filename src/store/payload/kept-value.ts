import type { BasePayload } from 'payload'
import { z } from 'zod'

/** Payload's own key-value store, which every store has in its schema already. */
export type KeyValueStore = Pick<BasePayload, 'kv'>

/** A moment as it is kept. */
export const keptMoment = z.iso.datetime().transform((text) => new Date(text))

/** What is kept at a place; undefined when nothing is, or something of another shape. */
export async function readKept<Value>(
  { kv }: KeyValueStore,
  place: string,
  schema: z.ZodType<Value>,
): Promise<Value | undefined> {
  const kept = schema.safeParse(await kv.get(place))
  return kept.success ? kept.data : undefined
}

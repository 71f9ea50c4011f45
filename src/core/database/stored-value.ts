import type { BasePayload } from 'payload'
import * as z from 'zod/mini'

/** Payload's own key-value store. Every store already has it in its schema. */
export interface KeyValueStore {
  kv: Pick<BasePayload['kv'], 'get' | 'set'>
}

/** Parses a stored date text into a Date. */
export const storedMoment = z.pipe(
  z.iso.datetime(),
  z.transform((text) => new Date(text)),
)

/** The value stored under a key; undefined when there is none or it does not match the schema. */
export async function readStored<Value>(
  { kv }: KeyValueStore,
  key: string,
  schema: z.ZodMiniType<Value>,
): Promise<Value | undefined> {
  const stored = schema.safeParse(await kv.get(key))
  return stored.success ? stored.data : undefined
}

import type { BasePayload } from 'payload'
import * as z from 'zod/mini'
import { readStored, storedMoment, type KeyValueStore } from '../../core/database/stored-value.js'
import { lastNight } from '../../core/workers/last-night.js'

/**
 * How far a comparison has come. `shop`: all products are read. `items`, `variants`: Klaviyo's lists are read for what
 * the shop no longer knows.
 */
const runSchema = z.object({
  begunAt: storedMoment,
  phase: z.enum(['shop', 'items', 'variants']),
  /** The last product that was read. */
  after: z.optional(z.union([z.string(), z.number()])),
  /** The next page of Klaviyo's list. */
  cursor: z.optional(z.string()),
})

const progressSchema = z.object({
  /** The mark of the key: another account has another catalog. */
  key: z.string(),
  /** When the last comparison was over. */
  comparedAt: z.optional(storedMoment),
  run: z.optional(runSchema),
})

export type CatalogRun = z.output<typeof runSchema>

/** It is stored, so that any process can go on from there. */
export type CatalogProgress = z.output<typeof progressSchema>

const place = 'storeconnect:catalog'

export const readProgress = (store: KeyValueStore): Promise<CatalogProgress | undefined> =>
  readStored(store, place, progressSchema)

export const keepProgress = ({ kv }: KeyValueStore, progress: CatalogProgress): Promise<void> =>
  kv.set(place, JSON.parse(JSON.stringify(progress)) as Record<string, unknown>)

export const forgetProgress = ({ kv }: Pick<BasePayload, 'kv'>): Promise<void> => kv.delete(place)

/** Whether the hour of the night has come since the last comparison. The clock may have been set back. */
export function isComparisonDue(
  { comparedAt }: Pick<CatalogProgress, 'comparedAt'>,
  { now, timezone }: { now: Date; timezone: string },
): boolean {
  if (comparedAt === undefined || comparedAt > now) return true
  return comparedAt < lastNight(now, timezone).toJSDate()
}

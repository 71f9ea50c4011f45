import * as z from 'zod/mini'
import { readStored, storedMoment, type KeyValueStore } from '../../core/database/stored-value.js'

const progressSchema = z.object({
  /** The mark of the key: another account has other codes. */
  key: z.string(),
  /** When the work of the last night was done. */
  nightAt: storedMoment,
  /** When it was last counted what Klaviyo has left. */
  countedAt: z.optional(storedMoment),
  /** Why there are no new codes since. */
  problem: z.optional(z.object({ code: z.string(), detail: z.string() })),
})

/** It is stored, so that any process can go on from there. */
export type CouponProgress = z.output<typeof progressSchema>

const place = 'storeconnect:coupons'

export const readCouponProgress = (store: KeyValueStore): Promise<CouponProgress | undefined> =>
  readStored(store, place, progressSchema)

export const keepCouponProgress = (
  { kv }: KeyValueStore,
  progress: CouponProgress,
): Promise<void> => kv.set(place, JSON.parse(JSON.stringify(progress)) as Record<string, unknown>)

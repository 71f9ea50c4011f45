import type { BasePayload } from 'payload'
import { z } from 'zod'
import type { WalkEnd } from '../../past-changes.js'

const keptSchema = z.object({ end: z.iso.datetime().transform((text) => new Date(text)) })

/** In Payload's own key-value store, for all processes of the installation. */
export const createWalkEnd = (
  { kv }: Pick<BasePayload, 'kv'>,
  walk: 'event-sweep' | 'cart-watch',
): WalkEnd => {
  const place = `storeconnect:${walk}`
  return {
    async lastEnd() {
      const kept = keptSchema.safeParse(await kv.get(place))
      return kept.success ? kept.data.end : undefined
    },
    keepEnd: (end) => kv.set(place, { end: end.toISOString() }),
  }
}

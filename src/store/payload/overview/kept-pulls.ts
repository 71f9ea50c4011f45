import type { BasePayload } from 'payload'
import { z } from 'zod'
import type { PullRecord } from '../../pull-record.js'

const place = 'storeconnect:last-pull'

const keptSchema = z.object({
  at: z.iso.datetime().transform((text) => new Date(text)),
  orders: z.number(),
  pages: z.number(),
})

/** A minute's page needs no newer moment, and a pull is not to cost a write each time. */
const notedAgainAfterMs = 10_000

/** In Payload's own key-value store, which every store has in its schema already. */
export function createPullRecord({ kv }: Pick<BasePayload, 'kv'>): PullRecord {
  let notedAt = Number.NEGATIVE_INFINITY
  return {
    async note({ at, orders, pages }) {
      if (at.getTime() - notedAt < notedAgainAfterMs) return
      await kv.set(place, { at: at.toISOString(), orders, pages })
      notedAt = at.getTime()
    },
    async last() {
      const kept = keptSchema.safeParse(await kv.get(place))
      return kept.success ? kept.data : undefined
    },
  }
}

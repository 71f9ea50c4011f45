import type { BasePayload } from 'payload'
import { z } from 'zod'
import { problems, type ProblemCode } from '../../../errors.js'
import type { PlatformVisits } from '../../platform-visits.js'

const places = {
  pull: 'storeconnect:last-pull',
  failure: 'storeconnect:last-failed-visit',
}

const moment = z.iso.datetime().transform((text) => new Date(text))

const pullSchema = z.object({ at: moment, orders: z.number(), pages: z.number() })

const failureSchema = z.object({
  at: moment,
  action: z.enum(['export', 'shipnotify']),
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
})

/** A minute's page needs no newer moment, and a pull is not to cost a write each time. */
const notedAgainAfterMs = 10_000

/** In Payload's own key-value store, which every store has in its schema already. */
export function createPlatformVisits({ kv }: Pick<BasePayload, 'kv'>): PlatformVisits {
  let pulledAt = Number.NEGATIVE_INFINITY
  return {
    async pulled({ at, orders, pages }) {
      if (at.getTime() - pulledAt < notedAgainAfterMs) return
      await kv.set(places.pull, { at: at.toISOString(), orders, pages })
      pulledAt = at.getTime()
    },
    async failed({ at, action, code }) {
      // The next pull says that all is well again.
      pulledAt = Number.NEGATIVE_INFINITY
      await kv.set(places.failure, { at: at.toISOString(), action, code })
    },
    async lastPull() {
      const kept = pullSchema.safeParse(await kv.get(places.pull))
      return kept.success ? kept.data : undefined
    },
    async lastFailure() {
      const kept = failureSchema.safeParse(await kv.get(places.failure))
      return kept.success ? kept.data : undefined
    },
  }
}

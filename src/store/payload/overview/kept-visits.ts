import { z } from 'zod'
import { problems, type ProblemCode } from '../../../errors.js'
import type { PlatformVisits } from '../../platform-visits.js'
import { keptMoment, readKept, type KeyValueStore } from '../kept-value.js'

const places = {
  pull: 'storeconnect:last-pull',
  failure: 'storeconnect:last-failed-visit',
}

const pullSchema = z.object({ at: keptMoment, orders: z.number(), pages: z.number() })

const failureSchema = z.object({
  at: keptMoment,
  action: z.enum(['export', 'shipnotify']),
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
})

/** A minute's page needs no newer moment, and a pull is not to cost a write each time. */
const notedAgainAfterMs = 10_000

export function createPlatformVisits(store: KeyValueStore): PlatformVisits {
  const { kv } = store
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
    lastPull: () => readKept(store, places.pull, pullSchema),
    lastFailure: () => readKept(store, places.failure, failureSchema),
  }
}

import { z } from 'zod'
import { problems, type ProblemCode } from '../../../errors.js'
import type { FailedVisit, PlatformVisits } from '../../platform-visits.js'
import { keptMoment, readKept, type KeyValueStore } from '../kept-value.js'

const pullPlace = 'storeconnect:last-pull'
const failurePlaces: Readonly<Record<FailedVisit['action'], string>> = {
  export: 'storeconnect:last-failed-export',
  shipnotify: 'storeconnect:last-failed-notice',
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
      await kv.set(pullPlace, { at: at.toISOString(), orders, pages })
      pulledAt = at.getTime()
    },
    async failed({ at, action, code }) {
      // The next pull says that all is well again.
      pulledAt = Number.NEGATIVE_INFINITY
      await kv.set(failurePlaces[action], { at: at.toISOString(), action, code })
    },
    lastPull: () => readKept(store, pullPlace, pullSchema),
    async lastFailures() {
      const places = Object.values(failurePlaces)
      const kept = await Promise.all(places.map((place) => readKept(store, place, failureSchema)))
      return kept.filter((failure) => failure !== undefined)
    },
  }
}

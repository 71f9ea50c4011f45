import * as z from 'zod/mini'
import { problems, type ProblemCode } from '../core/errors.js'
import type { Shop } from '../core/shop.js'
import { readStored, storedMoment, type KeyValueStore } from '../core/database/stored-value.js'
import { readLastPull, type Pull } from './pulls.js'

/** The last pull as editions up to 0.2.0 stored it. */
const formerPullSchema = z.object({ at: storedMoment, orders: z.number(), pages: z.number() })

const failureSchema = z.object({
  at: storedMoment,
  action: z.enum(['export', 'shipnotify']),
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
})

/** A request of ShipStation that the shop could not answer. */
export type FailedRequest = z.infer<typeof failureSchema>

const formerPullPlace = 'storeconnect:last-pull'
const failurePlaces: Readonly<Record<FailedRequest['action'], string>> = {
  export: 'storeconnect:last-failed-export',
  shipnotify: 'storeconnect:last-failed-notice',
}

export type ShipStationRequests = ReturnType<typeof createShipStationRequests>

/**
 * Stores the last failures of ShipStation. What cannot be stored is only logged, as ShipStation must get its answer.
 */
export function createShipStationRequests(shop: Shop) {
  const { payload, log } = shop
  const { kv } = payload
  return {
    async failed(request: FailedRequest): Promise<void> {
      try {
        await kv.set(failurePlaces[request.action], { ...request, at: request.at.toISOString() })
      } catch (error) {
        log.warn({ err: error }, 'A failed request of ShipStation could not be noted')
      }
    },
    /** The newest pull; undefined when ShipStation has never asked. */
    lastPull: async (): Promise<Pull | undefined> =>
      (await readLastPull(shop)) ?? readFormerPull(payload),
    /** The last failure of each action; empty when nothing has failed. */
    async lastFailures(): Promise<FailedRequest[]> {
      const places = Object.values(failurePlaces)
      const stored = await Promise.all(
        places.map((place) => readStored(payload, place, failureSchema)),
      )
      return stored.filter((failure) => failure !== undefined)
    },
  }
}

/** Until ShipStation asks for the first time after an upgrade, the pull from before counts. */
async function readFormerPull(store: KeyValueStore): Promise<Pull | undefined> {
  const former = await readStored(store, formerPullPlace, formerPullSchema)
  return (
    former && {
      ...former,
      lastRequestAt: former.at,
      isComplete: true,
      pagesAnswered: former.pages,
      answeredTo: former.pages,
      skipped: 0,
      asked: undefined,
      store: undefined,
    }
  )
}

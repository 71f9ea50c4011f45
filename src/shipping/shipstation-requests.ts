import * as z from 'zod'
import { problems, type ProblemCode } from '../errors.js'
import type { Shop } from '../shop.js'
import { storedMoment, readStored } from '../database/stored-value.js'

const pullSchema = z.object({
  at: storedMoment,
  /** How many orders were on the first page. */
  orders: z.number(),
  pages: z.number(),
})

/** A pull of ShipStation: its request for the first page of an export. */
export type Pull = z.infer<typeof pullSchema>

const failureSchema = z.object({
  at: storedMoment,
  action: z.enum(['export', 'shipnotify']),
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
})

/** A request of ShipStation that the shop could not answer. */
export type FailedRequest = z.infer<typeof failureSchema>

const pullPlace = 'storeconnect:last-pull'
const failurePlaces: Readonly<Record<FailedRequest['action'], string>> = {
  export: 'storeconnect:last-failed-export',
  shipnotify: 'storeconnect:last-failed-notice',
}

/** A pull within this time is not stored, so that not every pull costs a write. */
const storedAgainAfterMs = 10_000

export type ShipStationRequests = ReturnType<typeof createShipStationRequests>

/**
 * Stores the last pull and the last failures of ShipStation for the merchant's page, but no
 * data of orders. What cannot be stored is only logged, because ShipStation must get its answer.
 */
export function createShipStationRequests({ payload, log }: Shop) {
  const { kv } = payload
  let pulledAt = Number.NEGATIVE_INFINITY
  return {
    async pulled(pull: Pull): Promise<void> {
      const at = pull.at.getTime()
      // The clock may have been set back since.
      if (Math.abs(at - pulledAt) < storedAgainAfterMs) return
      try {
        await kv.set(pullPlace, { ...pull, at: pull.at.toISOString() })
        pulledAt = at
      } catch (error) {
        log.warn({ err: error }, 'The pull of ShipStation could not be noted')
      }
    },
    async failed(request: FailedRequest): Promise<void> {
      // The next pull is stored at once, as it shows that ShipStation is served again.
      pulledAt = Number.NEGATIVE_INFINITY
      try {
        await kv.set(failurePlaces[request.action], { ...request, at: request.at.toISOString() })
      } catch (error) {
        log.warn({ err: error }, 'A failed request of ShipStation could not be noted')
      }
    },
    lastPull: (): Promise<Pull | undefined> => readStored(payload, pullPlace, pullSchema),
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

import type { PayloadRequest } from 'payload'
import type { NewSend } from '../../../delivery/outbox.js'
import type { Log } from '../../log.js'
import type { Database } from '../database.js'
import type { PayloadOutbox } from '../outbox/outbox.js'

export interface EventStoreParts {
  database: Database
  /** What is stored by its `store` wakes the delivery. */
  outbox: PayloadOutbox
  log: Log
}

/** Stores the sends of a change that a request has made. */
export type StoreEvents = (
  sends: readonly NewSend[],
  change: { req: PayloadRequest; about: Readonly<Record<string, unknown>> },
) => Promise<void>

/**
 * With the change: in the request's transaction, rolled back with it. Without transactions right
 * after it; what cannot be stored then costs the caller nothing, whose change is made, and the sweep
 * makes up for it.
 */
export function createEventStore({ database, outbox, log }: EventStoreParts): StoreEvents {
  return async (sends, { req, about }) => {
    if (sends.length === 0) return
    if (await req.transactionID) {
      await outbox.storeWithin(await database.within(req), sends)
      return
    }
    try {
      await outbox.store([...sends])
    } catch (error) {
      log.error({ err: error, ...about }, 'The events of a change were not stored yet')
    }
  }
}

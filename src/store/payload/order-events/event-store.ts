import type { PayloadRequest } from 'payload'
import type { NewSend } from '../../../delivery/outbox.js'
import type { Database } from '../database.js'
import type { PayloadOutbox } from '../outbox/outbox.js'

export interface EventStoreParts {
  database: Database
  /** What is stored by its `store` wakes the delivery. */
  outbox: PayloadOutbox
}

/** Stores the sends of a change: in the request's transaction, rolled back with it, or by themselves. */
export type StoreEvents = (sends: readonly NewSend[], req?: PayloadRequest) => Promise<void>

export const createEventStore =
  ({ database, outbox }: EventStoreParts): StoreEvents =>
  async (sends, req) => {
    if (sends.length === 0) return
    if (req === undefined) await outbox.store([...sends])
    else await outbox.storeWithin(await database.within(req), sends)
  }

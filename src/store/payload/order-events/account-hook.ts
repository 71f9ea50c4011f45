import type { CollectionAfterChangeHook } from 'payload'
import type { DocumentId } from '../../../commerce/order.js'
import type { ShopEventsOf } from './order-hooks.js'
import { isSilent } from './silent.js'

/** Has a saved account update its profile. */
export const tellAccount =
  (eventsOf: ShopEventsOf): CollectionAfterChangeHook =>
  async ({ doc, operation, previousDoc, req }) => {
    const { id } = doc as { id: DocumentId }
    const previous = operation === 'create' ? undefined : (previousDoc as Record<string, unknown>)
    const account = { id, previous, isSilent: isSilent(req) }
    await eventsOf(req.payload).accountSaved(account, req)
    return doc as unknown
  }

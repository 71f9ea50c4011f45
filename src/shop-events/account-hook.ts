import type {
  CollectionAfterChangeHook,
  CollectionAfterDeleteHook,
  CollectionBeforeDeleteHook,
  PayloadRequest,
} from 'payload'
import type { DocumentId } from '../commerce/order.js'
import type { PersonKeys } from '../marketing/person-keys.js'
import { valueAt } from '../store/payload/document-value.js'
import type { ShopEventsOf } from './status-hook.js'
import { isSilent } from './silent.js'

/** Has a saved account update its profile; one that goes to the trash is forgotten. */
export const tellAccount =
  (eventsOf: ShopEventsOf): CollectionAfterChangeHook =>
  async ({ data, doc, operation, previousDoc, req }) => {
    const { id } = doc as { id: DocumentId }
    const events = eventsOf(req.payload)
    const previous = operation === 'create' ? undefined : (previousDoc as Record<string, unknown>)
    await events.accountSaved({ id, previous, isSilent: isSilent(req) }, req)
    if (valueAt(data, 'deletedAt') !== undefined && valueAt(previous, 'deletedAt') === undefined) {
      await events.forgetPerson(await events.personOf(id, req), req)
    }
    return doc as unknown
  }

/** Who the accounts are that a request is about to delete: afterwards nothing says so. */
const leaving = new WeakMap<PayloadRequest, Map<DocumentId, PersonKeys | undefined>>()

export const rememberPerson =
  (eventsOf: ShopEventsOf): CollectionBeforeDeleteHook =>
  async ({ id, req }) => {
    const people = leaving.get(req) ?? new Map<DocumentId, PersonKeys | undefined>()
    leaving.set(req, people)
    people.set(id, await eventsOf(req.payload).personOf(id, req))
  }

/** With an account goes what was to be sent, or was sent, of its person. */
export const forgetPerson =
  (eventsOf: ShopEventsOf): CollectionAfterDeleteHook =>
  async ({ doc, id, req }) => {
    await eventsOf(req.payload).forgetPerson(leaving.get(req)?.get(id), req)
    leaving.get(req)?.delete(id)
    return doc as unknown
  }

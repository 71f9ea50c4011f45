import type {
  CollectionAfterChangeHook,
  CollectionAfterDeleteHook,
  CollectionBeforeChangeHook,
  CollectionBeforeDeleteHook,
  PayloadRequest,
} from 'payload'
import type { DocumentId } from '../commerce/order.js'
import type { PersonKeys } from '../marketing/person-keys.js'
import { valueAt } from '../store/payload/document-value.js'
import { toldProfileField } from '../store/payload/order-fields.js'
import { pendingNote, silentNote } from './account-source.js'
import type { ShopEventsOf } from './shop-events.js'
import { isSilent } from './status-hook.js'

/** Has an account remember, in the very write that changes it, whether that is to be sent. */
export const rememberProfile =
  (eventsOf: ShopEventsOf): CollectionBeforeChangeHook =>
  async ({ data, operation, originalDoc, req }) => {
    const initialNote = isSilent(req) ? silentNote : pendingNote
    const note =
      operation === 'create'
        ? initialNote
        : await noteOfChanged(originalDoc as { id: DocumentId }, { eventsOf, req })
    return { ...(data as Record<string, unknown>), [toldProfileField]: note }
  }

/**
 * Of an account that was there before Storeconnect, or was written by an import, what it is before the
 * change counts as sent. A change that is still to be sent is no part of a silent one.
 */
async function noteOfChanged(
  account: { id: DocumentId },
  { eventsOf, req }: { eventsOf: ShopEventsOf; req: PayloadRequest },
): Promise<unknown> {
  const known = valueAt(account, toldProfileField)
  const isKnown = known !== undefined && known !== silentNote
  const before = () => eventsOf(req.payload).profileState(account.id, req)
  if (!isSilent(req)) return isKnown ? known : ((await before()) ?? pendingNote)
  const isPending = isKnown && (known === pendingNote || known !== (await before()))
  return isPending ? known : silentNote
}

/** An account that goes to the trash is forgotten. */
export const wakeForAccount =
  (eventsOf: ShopEventsOf): CollectionAfterChangeHook =>
  async ({ data, doc, operation, previousDoc, req }) => {
    const { id } = doc as { id: DocumentId }
    const events = eventsOf(req.payload)
    events.wake()
    const previous = operation === 'create' ? undefined : (previousDoc as unknown)
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

import type {
  CollectionAfterChangeHook,
  CollectionAfterDeleteHook,
  CollectionBeforeChangeHook,
  CollectionBeforeDeleteHook,
  CollectionConfig,
  PayloadRequest,
} from 'payload'
import type { DocumentId } from '../database/document-id.js'
import type { PersonKeys } from '../klaviyo/person-keys.js'
import { valueAt } from '../payload/document-value.js'
import { pendingNote, importNote, sentProfileField } from './account-source.js'
import type { ShopEventsOf } from './shop-events.js'
import { isImport } from '../orders/status-history.js'

export function withAccountEvents(
  customers: CollectionConfig,
  eventsOf: ShopEventsOf,
): CollectionConfig {
  const { hooks = {} } = customers
  return {
    ...customers,
    hooks: {
      ...hooks,
      beforeChange: [...(hooks.beforeChange ?? []), rememberProfile(eventsOf)],
      afterChange: [...(hooks.afterChange ?? []), wakeForAccount(eventsOf)],
      beforeDelete: [...(hooks.beforeDelete ?? []), rememberPerson(eventsOf)],
      afterDelete: [...(hooks.afterDelete ?? []), forgetPerson(eventsOf)],
    },
  }
}

/** Notes with the account, in the same write that changes it, whether the change has to be sent. */
const rememberProfile =
  (eventsOf: ShopEventsOf): CollectionBeforeChangeHook =>
  async ({ data, operation, originalDoc, req }) => {
    const initialNote = isImport(req) ? importNote : pendingNote
    const note =
      operation === 'create'
        ? initialNote
        : await noteOfChanged(originalDoc as { id: DocumentId }, { eventsOf, req })
    return { ...(data as Record<string, unknown>), [sentProfileField]: note }
  }

/**
 * The state before the change counts as sent when the account is older than Storeconnect or was last
 * written by an import. An import does not cancel an earlier change that is not sent yet.
 */
async function noteOfChanged(
  account: { id: DocumentId },
  { eventsOf, req }: { eventsOf: ShopEventsOf; req: PayloadRequest },
): Promise<unknown> {
  const known = valueAt(account, sentProfileField)
  const isKnown = known !== undefined && known !== importNote
  const before = () => eventsOf(req.payload).profileState(account.id, req)
  if (!isImport(req)) return isKnown ? known : ((await before()) ?? pendingNote)
  const isPending = isKnown && (known === pendingNote || known !== (await before()))
  return isPending ? known : importNote
}

/** Wakes the feed, and forgets the sends about an account that is moved to the trash. */
const wakeForAccount =
  (eventsOf: ShopEventsOf): CollectionAfterChangeHook =>
  async ({ data, doc, operation, previousDoc, req }) => {
    const { id } = doc as { id: DocumentId }
    const events = eventsOf(req.payload)
    events.wake()
    const previous = operation === 'create' ? undefined : (previousDoc as unknown)
    if (valueAt(data, 'deletedAt') !== undefined && valueAt(previous, 'deletedAt') === undefined) {
      await events.forgetPerson(await events.personKeysOf(id, req), req)
    }
    return doc as unknown
  }

/** The people of the accounts that a request deletes, read before because nothing names them afterwards. */
const peopleOfDeleted = new WeakMap<PayloadRequest, Map<DocumentId, PersonKeys | undefined>>()

const rememberPerson =
  (eventsOf: ShopEventsOf): CollectionBeforeDeleteHook =>
  async ({ id, req }) => {
    const people = peopleOfDeleted.get(req) ?? new Map<DocumentId, PersonKeys | undefined>()
    peopleOfDeleted.set(req, people)
    people.set(id, await eventsOf(req.payload).personKeysOf(id, req))
  }

/** Deletes all sends about the person of a deleted account, sent or not. */
const forgetPerson =
  (eventsOf: ShopEventsOf): CollectionAfterDeleteHook =>
  async ({ doc, id, req }) => {
    await eventsOf(req.payload).forgetPerson(peopleOfDeleted.get(req)?.get(id), req)
    peopleOfDeleted.get(req)?.delete(id)
    return doc as unknown
  }

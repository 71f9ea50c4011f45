import type {
  CollectionAfterChangeHook,
  CollectionBeforeChangeHook,
  CollectionConfig,
  PayloadRequest,
} from 'payload'
import type { DocumentId } from '../database/document-id.js'
import { valueAt } from '../payload/document-value.js'
import { pendingNote, importNote, sentProfileField } from './account-source.js'
import type { ShopEventsOf } from './feeds.js'
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

import type {
  CollectionAfterChangeHook,
  CollectionBeforeChangeHook,
  CollectionConfig,
  PayloadRequest,
} from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import { valueAt } from '../../core/payload/document-value.js'
import { importNote, pendingNote, sentProfileField } from './feed-notes.js'
import type { ShopEventsOf } from './feeds.js'
import { isImport } from '../../shop/orders/status-history.js'

/** Adds the hooks that note changes of accounts for their feed. */
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
    const note =
      operation === 'create'
        ? noteOfNew(req)
        : await noteOfChanged(originalDoc as { id: DocumentId }, { eventsOf, req })
    return { ...(data as Record<string, unknown>), [sentProfileField]: note }
  }

const noteOfNew = (req: PayloadRequest) => (isImport(req) ? importNote : pendingNote)

function noteOfChanged(
  account: { id: DocumentId },
  { eventsOf, req }: { eventsOf: ShopEventsOf; req: PayloadRequest },
): Promise<unknown> {
  const note = valueAt(account, sentProfileField)
  const stateBefore = async () => (await eventsOf(req.payload)).profileState(account.id, req)
  return isImport(req) ? noteOfImport(note, stateBefore) : noteOfSave(note, stateBefore)
}

/** Reads the digest of the profile that the account gave before the change. */
type StateBefore = () => Promise<string | undefined>

/**
 * What the account was before the change counts as sent when it is older than Storeconnect, or when an
 * import wrote it last.
 */
const noteOfSave = async (note: unknown, stateBefore: StateBefore): Promise<unknown> =>
  isNoteOfSave(note) ? note : ((await stateBefore()) ?? pendingNote)

/** An import is not sent, but an earlier change that is not sent yet stays to be sent. */
async function noteOfImport(note: unknown, stateBefore: StateBefore): Promise<unknown> {
  if (!isNoteOfSave(note)) return importNote
  const isUnsent = note === pendingNote || note !== (await stateBefore())
  return isUnsent ? note : importNote
}

const isNoteOfSave = (note: unknown): boolean => note !== undefined && note !== importNote

/** Wakes the feed, and forgets the sends about an account that is moved to the trash. */
const wakeForAccount =
  (eventsOf: ShopEventsOf): CollectionAfterChangeHook =>
  async ({ data, doc, operation, previousDoc, req }) => {
    const { id } = doc as { id: DocumentId }
    const events = await eventsOf(req.payload)
    events.wake()
    const before = operation === 'create' ? undefined : (previousDoc as unknown)
    const isTrashed =
      valueAt(data, 'deletedAt') !== undefined && valueAt(before, 'deletedAt') === undefined
    if (isTrashed) {
      await events.forgetPerson(await events.personKeysOf(id, req), req)
    }
    return doc as unknown
  }

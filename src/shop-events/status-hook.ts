import type { CollectionAfterChangeHook, CollectionBeforeChangeHook, PayloadRequest } from 'payload'
import type { DocumentId } from '../commerce/order.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import { valueAt } from '../store/payload/document-value.js'
import { statusChangesField } from '../store/payload/order-fields.js'
import { switchesOf, type StatusChange } from './happening.js'
import type { StoredHistory } from './order-records.js'
import type { ShopEventsOf } from './shop-events.js'

/**
 * Has an order remember, in the very write that changes its status, that it did: what has happened is
 * saved with the change or not at all, and what is to be sent can be made of the order at any time.
 */
export const rememberStatus =
  ({ fields }: ResolvedOptions, eventsOf: ShopEventsOf): CollectionBeforeChangeHook =>
  async ({ data, operation, originalDoc, req }) => {
    const order = data as Record<string, unknown>
    const before = operation === 'create' ? undefined : (originalDoc as { id: DocumentId })
    const status = valueAt(order, fields.status)
    // Whatever was given for it: a copy begins anew, and nobody else writes the history.
    order[statusChangesField] = valueAt(before, statusChangesField) ?? null

    const stage = valueAt(order, '_status')
    // What is published is compared with the order itself: the document before it is a draft.
    const isChanged = stage === 'published' || status !== valueAt(before, fields.status)
    if (typeof status !== 'string' || stage === 'draft' || !isChanged) return order

    // The document that the hook was given may be older than what somebody else has written since.
    const stored = before && (await eventsOf(req.payload).lockedHistory(before.id, req))
    order[statusChangesField] = await grown(stored, status, { req, eventsOf })
    return order
  }

/** The history of an order that is saved with this status. */
async function grown(
  stored: StoredHistory | undefined,
  status: string,
  { req, eventsOf }: { req: PayloadRequest; eventsOf: ShopEventsOf },
): Promise<StatusChange[]> {
  const changes = stored?.changes ?? []
  const isNew = stored === undefined || (changes.length === 0 && isUnmade(stored))
  if (!isNew && stored.status === status) return changes
  const switches = await eventsOf(req.payload).switches(req)
  const off = switchesOf(isNew ? { kind: 'placed' } : { kind: 'status', status }).filter(
    (event) => !switches[event],
  )
  const entry: StatusChange = {
    status,
    at: new Date().toISOString(),
    count: changes.filter((earlier) => earlier.status === status).length + 1,
    ...(isNew && { placed: true }),
    ...(isSilent(req) && { silent: true }),
    ...(off.length > 0 && { off }),
  }
  return [...changes, entry]
}

/** A draft, or without a status: no order yet. */
const isUnmade = ({ status, isDraft }: StoredHistory) => isDraft || typeof status !== 'string'

/**
 * Whether the caller asked that nothing is sent of the change: an import or a seed passes
 * `context: { storeconnect: 'silent' }` to Payload.
 */
export const isSilent = ({ context }: Pick<PayloadRequest, 'context'>): boolean =>
  context.storeconnect === 'silent'

/** Has the feed look at what was saved. */
export const wakeFeed =
  (eventsOf: ShopEventsOf): CollectionAfterChangeHook =>
  ({ doc, req }) => {
    eventsOf(req.payload).wake()
    return doc as unknown
  }

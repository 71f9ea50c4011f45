import type { BasePayload, CollectionAfterChangeHook, CollectionBeforeChangeHook } from 'payload'
import type { DocumentId } from '../../../commerce/order.js'
import type { ResolvedOptions } from '../../../options/resolve-options.js'
import { valueAt } from '../document-value.js'
import { statusChangesField } from '../order-fields.js'
import type { ShopEvents } from './shop-events.js'
import { isSilent } from './silent.js'
import { readStatusChanges, withStatusChange } from './status-history.js'

/** What tells of the changes of an instance; hooks learn only when they run which it is. */
export type ShopEventsOf = (payload: BasePayload) => ShopEvents

/**
 * Has an order remember, in the very write that changes its status, that it did: what has happened is
 * saved with the change or not at all, and what is to be told can be made of the order at any time.
 */
export const rememberStatus =
  ({ fields }: ResolvedOptions, eventsOf: ShopEventsOf): CollectionBeforeChangeHook =>
  async ({ data, operation, originalDoc, req }) => {
    const order = data as Record<string, unknown>
    const isNew = operation === 'create'
    const before: unknown = isNew ? undefined : originalDoc
    const status = valueAt(order, fields.status)
    // Whatever was given for it: a copy begins anew, and nobody else writes the history.
    order[statusChangesField] = valueAt(before, statusChangesField) ?? null

    const isDraft = valueAt(order, '_status') === 'draft'
    const isChanged = isNew || status !== valueAt(before, fields.status)
    if (typeof status !== 'string' || isDraft || !isChanged) return order

    const entry = { status, at: new Date(), isNew, isSilent: isSilent(req) }
    if (isNew) {
      order[statusChangesField] = withStatusChange([], entry)
      return order
    }
    const { id } = before as { id: DocumentId }
    // The document that the hook was given may be older than what somebody else has written since.
    const stored = await eventsOf(req.payload).lockedHistory(id, req)
    const isMade = stored.status === status
    order[statusChangesField] = isMade ? stored.changes : withStatusChange(stored.changes, entry)
    return order
  }

/** Tells what the entries mean that this change has added to the history. */
export const tellOrderChange =
  (eventsOf: ShopEventsOf): CollectionAfterChangeHook =>
  async ({ data, doc, previousDoc, req }) => {
    // The document has only what the caller may read and has selected; the data has all.
    const known = readStatusChanges(valueAt(previousDoc, statusChangesField)).length
    const changes = readStatusChanges(valueAt(data, statusChangesField)).slice(known)
    const { id } = doc as { id: DocumentId }
    if (changes.length > 0) await eventsOf(req.payload).orderChanged({ id, changes }, req)
    return doc as unknown
  }

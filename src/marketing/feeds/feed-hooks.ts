import type {
  CollectionBeforeChangeHook,
  PayloadRequest,
  CollectionConfig,
  CollectionAfterChangeHook,
  BasePayload,
} from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import type { StoreConfig } from '../../core/feature.js'
import { isPaid } from '../../shop/orders/order-creation.js'
import type { ShopNames } from '../../core/shop-names.js'
import { valueAt, idOf } from '../../core/payload/document-value.js'
import { statusChangesField, checkoutStateField } from '../../shop/orders/order-fields.js'
import { orderEventsOf } from '../events/event-table.js'
import { isImport, type StatusChange } from '../../shop/orders/status-history.js'
import type { StoredStatus } from './order-records.js'
import type { ShopEventsOf } from './parts.js'
import { importNote, pendingNote, sentProfileField } from './feed-notes.js'
import type { Feed } from './feed.js'
import { withHooks } from '../../core/payload/collection-hooks.js'

/** The status history is in the same write, so that the feed can make the events from the order at any time. */
export const rememberStatus =
  (
    { fields }: ShopNames,
    eventsOf: ShopEventsOf,
    { effects, isAdmin }: Pick<StoreConfig, 'effects' | 'isAdmin'>,
  ): CollectionBeforeChangeHook =>
  async ({ data, operation, originalDoc, req }) => {
    const order = data as Record<string, unknown>
    const before = operation === 'create' ? undefined : (originalDoc as { id: DocumentId })
    const status = valueAt(order, fields.status)
    // A given status history is ignored: only this hook writes it, and a copy of an order begins a new one.
    order[statusChangesField] = valueAt(before, statusChangesField) ?? null

    const stage = valueAt(order, '_status')
    const isCopy = before === undefined && valueAt(originalDoc, fields.status) !== undefined
    const isOrder = stage !== 'draft' || (isPaid(order, fields) && !isCopy)
    // `originalDoc` may be a draft, so where there are drafts the status is compared with the stored order.
    const isChanged = stage !== undefined || status !== valueAt(before, fields.status)
    if (typeof status !== 'string' || !isOrder || !isChanged) return order

    // Somebody else may have changed the order since `originalDoc` was read.
    const stored = before && (await (await eventsOf(req.payload)).lockedStatus(before.id, req))
    order[statusChangesField] = await changesWith({ status, stage }, stored, {
      req,
      eventsOf,
      effects,
      isAdmin,
    })
    return order
  }

async function changesWith(
  { status, stage }: { status: string; stage: unknown },
  stored: StoredStatus | undefined,
  {
    req,
    eventsOf,
    effects,
    isAdmin,
  }: Pick<StoreConfig, 'effects' | 'isAdmin'> & { req: PayloadRequest; eventsOf: ShopEventsOf },
): Promise<StatusChange[]> {
  const changes = stored?.changes ?? []
  const isMade =
    stored && typeof stored.status === 'string' && !(stored.isDraft && stage === 'published')
  const isNew = stored === undefined || (changes.length === 0 && !isMade)
  if (!isNew && stored.status === status) return changes
  const switches = await (await eventsOf(req.payload)).switches(req)
  const off = orderEventsOf(isNew ? { kind: 'placed' } : { kind: 'status', status }).filter(
    (event) => !switches[event],
  )
  const entry: StatusChange = {
    status,
    at: effects.now().toISOString(),
    count: changes.filter((earlier) => earlier.status === status).length + 1,
    ...(await makerOf(req, isAdmin)),
    ...(isNew && { placed: true }),
    ...(isImport(req) && { isImport: true }),
    ...(off.length > 0 && { off }),
  }
  return [...changes, entry]
}

async function makerOf(
  req: PayloadRequest,
  isAdmin: StoreConfig['isAdmin'],
): Promise<Pick<StatusChange, 'by' | 'admin'>> {
  if (req.context.shipment !== undefined) return { by: 'shipment' }
  if (!req.user) return {}
  return (await isAdmin({ req })) ? { by: 'admin', admin: req.user.id } : { by: 'customer' }
}

export const withCheckoutEvents = (
  transactions: CollectionConfig,
  eventsOf: ShopEventsOf,
): CollectionConfig =>
  withHooks(transactions, {
    beforeChange: [rememberCheckout(eventsOf)],
    afterChange: [wakeFeed(eventsOf)],
  })

/** The digest of the cart stays with the transaction, so that the feed can report the checkout later. */
const rememberCheckout =
  (eventsOf: ShopEventsOf): CollectionBeforeChangeHook =>
  async ({ data, operation, originalDoc, req }) => {
    const transaction = data as Record<string, unknown>
    if (operation === 'update') {
      const stored = (originalDoc as Record<string, unknown>)[checkoutStateField]
      return { ...transaction, [checkoutStateField]: stored ?? null }
    }
    const cartId = idOf(transaction.cart)
    const isReported = cartId !== undefined && !isImport(req)
    const state = isReported
      ? await (await eventsOf(req.payload)).checkoutState(cartId, req)
      : undefined
    return { ...transaction, [checkoutStateField]: state ?? null }
  }

export const withAccountEvents = (
  customers: CollectionConfig,
  eventsOf: ShopEventsOf,
): CollectionConfig =>
  withHooks(customers, {
    beforeChange: [rememberProfile(eventsOf)],
    afterChange: [wakeForAccount(eventsOf)],
  })

/** The note is in the same write as the change. */
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

/** The digest of the profile before the change. */
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

export const wakeFeed =
  (feedsOf: (payload: BasePayload) => Promise<Pick<Feed, 'wake'>>): CollectionAfterChangeHook =>
  async ({ doc, req }) => {
    const feeds = await feedsOf(req.payload)
    feeds.wake()
    return doc as unknown
  }

import type { CollectionBeforeChangeHook, PayloadRequest } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import type { StoreConfig } from '../../core/feature.js'
import { isPaid } from '../../shop/orders/order-creation.js'
import type { ShopNames } from '../../core/shop-names.js'
import { valueAt } from '../../core/payload/document-value.js'
import { statusChangesField } from '../../shop/orders/order-fields.js'
import { orderEventsOf } from '../events/event-table.js'
import { isImport, type StatusChange } from '../../shop/orders/status-history.js'
import type { StoredStatus } from './order-records.js'
import type { ShopEventsOf } from './feeds.js'

/**
 * Adds each change of status to the status history of the order, in the same write. So both are saved or
 * neither is, and the feed can make the events from the order at any time.
 */
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

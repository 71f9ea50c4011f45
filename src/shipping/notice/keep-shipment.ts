import type { BasePayload, CollectionBeforeChangeHook } from 'payload'
import { hasDraftsEnabled } from 'payload/shared'
import { statusChangesField } from '../../shop/orders/order-fields.js'
import { readStatusChanges } from '../../shop/orders/status-history.js'
import { sqlDatabase } from '../../core/database/database.js'
import { lockRow } from '../../core/database/in-transaction.js'
import type { ShopNames } from '../../core/shop-names.js'
import { setAt, valueAt } from '../../core/payload/document-value.js'
import type { TrackingPlace } from './tracking-place.js'

type Document = Record<string, unknown>

/** Where the settings keep the tracking entry; undefined where they keep none, or Storeconnect does not work. */
export type EntryPlaceIn = (payload: BasePayload) => Promise<TrackingPlace | undefined>

/**
 * Keeps the shipment in a save, a published draft or a restored version that has read the order before it. A status
 * that they give the order themselves counts.
 */
export const keepShipment =
  ({ fields }: ShopNames, entryPlaceIn: EntryPlaceIn): CollectionBeforeChangeHook =>
  async ({ collection, context, data, operation, originalDoc, req }) => {
    const read = originalDoc as (Document & { id: number | string }) | undefined
    if (operation !== 'update' || read === undefined || context.shipment) return data

    const isRestored = context.isRestoringVersion === true
    // Without drafts, a save goes on from the order itself, and writes only what it changes.
    if (!hasDraftsEnabled(collection) && !isRestored) return data
    const { payload } = req
    await lockRow(sqlDatabase(payload), { slug: collection.slug, id: read.id, req })
    const stored = await payload.findByID({
      collection: collection.slug,
      id: read.id,
      depth: 0,
      disableErrors: true,
      req,
    })
    const changes = readStatusChanges(valueAt(stored, statusChangesField))
    const shippedAt = changes.findLastIndex(({ by }) => by === 'shipment')
    const order = data as Document
    const status = valueAt(order, fields.status)
    const changesRead = readStatusChanges(read[statusChangesField])
    // Nothing says how old a version is, but its status.
    const isFromBefore = isRestored
      ? changes.slice(shippedAt).every((change) => change.status !== status)
      : changesRead.length <= shippedAt && (changesRead.at(-1)?.status ?? status) === status
    if (shippedAt < 0 || !isFromBefore) return order

    const place = await entryPlaceIn(payload)
    const kept = { ...order }
    setAt(kept, fields.status, valueAt(stored, fields.status))
    if (place) setAt(kept, place.field, valueAt(stored, place.field))
    return kept
  }

import type { BasePayload, CollectionBeforeChangeHook } from 'payload'
import { statusChangesField } from '../../shop/orders/order-fields.js'
import { readStatusChanges } from '../../shop/orders/status-history.js'
import type { ShopNames } from '../../core/shop-names.js'
import { setAt, valueAt } from '../../core/payload/document-value.js'
import type { TrackingPlace } from './tracking-place.js'

type Document = Record<string, unknown>

/** Where the settings keep the tracking entry; undefined where they keep none, or Storeconnect does not work. */
export type EntryPlaceIn = (payload: BasePayload) => Promise<TrackingPlace | undefined>

/**
 * Keeps the shipment when somebody publishes a draft, or restores a version, from before it. A status that the draft
 * gives the order itself counts.
 */
export const keepShipment =
  ({ fields }: ShopNames, entryPlaceIn: EntryPlaceIn): CollectionBeforeChangeHook =>
  async ({ collection, context, data, operation, originalDoc, req }) => {
    const read = originalDoc as (Document & { id: number | string }) | undefined
    const isRestored = context.isRestoringVersion === true
    const isOther = isRestored || read?._status === 'draft'
    if (operation !== 'update' || read === undefined || !isOther || context.shipment) return data

    const { payload } = req
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
    const known = readStatusChanges(read[statusChangesField])
    // Nothing says how old a version is, but its status.
    const isFromBefore = isRestored
      ? changes.slice(shippedAt).every((change) => change.status !== status)
      : known.length <= shippedAt && (known.at(-1)?.status ?? status) === status
    if (shippedAt < 0 || !isFromBefore) return order

    const place = await entryPlaceIn(payload)
    const kept = { ...order }
    setAt(kept, fields.status, valueAt(stored, fields.status))
    if (place) setAt(kept, place.field, valueAt(stored, place.field))
    return kept
  }

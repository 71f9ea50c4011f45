import { sql } from 'drizzle-orm'
import { createLocalReq, type PayloadRequest, updateByIDOperation } from 'payload'
import { readDocumentId, type DocumentId } from '../../core/database/document-id.js'
import { exportedAsField, fieldsOfOrders } from '../../shop/orders/order-fields.js'
import type { Shop } from '../../core/shop.js'
import { column, columnOrNull } from '../../core/database/database.js'
import { inTransaction, lockRow } from '../../core/database/in-transaction.js'
import { recordInBatch } from './record-in-batch.js'
import {
  type Shipment,
  type ShippedOrder,
  noticeIdQuery,
  noticeStatements,
} from './notice-collection.js'
import { effectOf } from './notice-effect.js'
import { deleteOldVersions, newChange, shippedVersions } from './shipped-versions.js'
import { locateTracking, withEntry } from './tracking-place.js'
import { setAt, valueAt } from '../../core/payload/document-value.js'
import { statusChoices } from '../../shop/orders/order-choices.js'
import type { ShippingSettings } from '../shipping-settings.js'
import { exportedNumber } from '../exported-numbers.js'
import { legalText } from '../xml-text.js'
import { isNoDraft } from '../../shop/orders/order-reader.js'
import { hasReference, referenceOf } from '../../shop/orders/stored-value.js'

/** Writes a shipment, with what the store's hooks write, inside the request's transaction, which has begun. */
async function recordInTransaction(
  shop: Shop,
  shipment: Shipment,
  req: PayloadRequest,
): Promise<{ isNew: boolean }> {
  const { payload, database, effects, options } = shop
  const ordersSlug = options.collections.orders
  const { entryPlace, notice } = shipment
  const orderId = shipment.order.id
  const connection = await database.within(req)
  // Two notices at once: the second waits here, and then sees what the first has written.
  await lockRow(database, { slug: ordersSlug, id: orderId, req })

  const earlier = await connection.rows(noticeIdQuery(database, shipment))
  const effect = await effectOf(database, connection, shipment)
  for (const statement of noticeStatements(shop, connection, { ...shipment, effect }))
    await statement

  const { status } = effect
  const change = { status, entryPlace, notice, ...newChange(effects) }
  const data: Record<string, unknown> = {}
  if (status !== undefined) setAt(data, options.fields.status, status)
  if (entryPlace) {
    const order = await payload.findByID({ collection: ordersSlug, id: orderId, depth: 0, req })
    const entry = { id: change.entryId, ...notice }
    setAt(data, entryPlace.field, withEntry(valueAt(order, entryPlace.field), entryPlace, entry))
  }
  await saveUnvalidated({ collectionSlug: ordersSlug, id: orderId, data }, req)
  for (const version of await shippedVersions(shop, { id: orderId, change }, req)) {
    await payload.db.createVersion(version)
  }
  await deleteOldVersions(shop, orderId, req)
  return { isNew: earlier.length === 0 }
}

/** An order that a notice or a person names. */
export interface FoundOrder extends ShippedOrder {
  updatedAt: Date
  isInTrash: boolean
  /** Nobody has paid for it, nor published it. */
  isDraft: boolean
}

export type ShipmentLog = ReturnType<typeof createShipmentLog>

export function createShipmentLog(shop: Shop) {
  const { payload, database, options } = shop
  const { collections, fields } = options
  const orders = database.table(collections.orders)
  const idColumn = column(orders, 'id')
  const reference = referenceOf(orders, options)
  const exportedAs = column(orders, exportedAsField)
  const deletedAt = columnOrNull(orders, 'deletedAt')

  return {
    /** Finds an order by the number that ShipStation has of it or, where `by` says so, by its id alone. */
    async findOrder(text: string, by?: 'id'): Promise<FoundOrder | undefined> {
      // An order from before Storeconnect has no reference and is found by its id, as in the export. If
      // another order has that text as its reference, the reference counts.
      const orderId = readDocumentId(payload, collections.orders, text)
      const isOwnId = orderId === undefined ? sql`false` : sql`${idColumn} = ${orderId}`
      const number = exportedNumber(text)
      const condition =
        by === 'id'
          ? isOwnId
          : sql`${exportedAs} = ${number} or ${hasReference(orders, options, legalText(text))}
              or (coalesce(${reference}, '') = '' and ${isOwnId})`
      const [row] = await database.rows(sql`select ${idColumn} as "id", ${reference} as "reference",
          ${column(orders, 'createdAt')} as "createdAt", ${column(orders, 'updatedAt')} as "updatedAt",
          ${deletedAt} as "deletedAt", case when ${isNoDraft(shop)} then 0 else 1 end as "isDraft"
        from ${orders} where ${condition}
        order by coalesce(${exportedAs}, '') <> ${number}, coalesce(${reference}, '') = '' limit 1`)
      if (row === undefined) return undefined
      const id = row.id as DocumentId
      return {
        id,
        reference: String(row.reference || id),
        createdAt: new Date(String(row.createdAt)),
        updatedAt: new Date(String(row.updatedAt)),
        isInTrash: row.deletedAt !== null,
        isDraft: Number(row.isDraft) === 1,
      }
    },

    hasStatus(status: string): boolean {
      const statuses = statusChoices(fieldsOfOrders(payload, options), fields.status)
      return status !== '' && statuses.some(({ value }) => value === status)
    },

    locateEntry: (settings: ShippingSettings) => locateTracking(shop, settings),

    /** Writes status, tracking entry and notice, all or nothing, and runs the collection's `afterChange` hooks. */
    async record(shipment: Shipment): Promise<{ isNew: boolean }> {
      const req = await createLocalReq({ context: { shipment: shipment.notice } }, payload)
      return inTransaction(database, req, (own, isBegun) =>
        isBegun ? recordInTransaction(shop, shipment, own) : recordInBatch(shop, shipment, own),
      )
    },
  }
}

/**
 * Saves a document with all its hooks, but without validation (`docs/interface.md` (Ship notice)): Payload's operation
 * gets a config whose fields do not validate. It has no versions either, as Payload would save a newer draft.
 */
async function saveUnvalidated(
  {
    collectionSlug,
    id,
    data,
  }: { collectionSlug: string; id: DocumentId; data: Record<string, unknown> },
  req: PayloadRequest,
): Promise<void> {
  const collection = req.payload.collections[collectionSlug]
  if (collection === undefined) throw new TypeError(`There is no collection "${collectionSlug}".`)
  const config = withoutValidation(collection.config)
  delete config.versions
  await updateByIDOperation({
    collection: { ...collection, config },
    id,
    data,
    depth: 0,
    overrideAccess: true,
    overrideLock: true,
    req,
  })
}

/** A deep copy of an object that has fields, without their `validate` functions. */
function withoutValidation<Holder extends object>(holder: Holder): Holder {
  const copy = { ...holder } as Record<string, unknown>
  delete copy.validate
  for (const key of ['fields', 'tabs', 'blocks']) {
    const children = copy[key]
    if (Array.isArray(children))
      copy[key] = children.map((child: object) => withoutValidation(child))
  }
  return copy as Holder
}

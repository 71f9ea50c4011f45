import { sql } from 'drizzle-orm'
import { createLocalReq, type BasePayload, type Field } from 'payload'
import type { DocumentId } from '../../commerce/order.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { ShipmentLog } from '../shipment-log.js'
import { column, type Database } from './database.js'
import { readDocumentId } from './document-id.js'
import { findField } from './field-search.js'
import { inTransaction } from './in-transaction.js'
import { recordInBatch } from './record-in-batch.js'
import { recordInTransaction } from './record-in-transaction.js'
import type { ShipmentParts } from './shipment-parts.js'
import { locateTracking } from './tracking-place.js'

/** Finds orders by reference and writes shipments to them. */
export function createShipmentLog(
  payload: BasePayload,
  database: Database,
  { collections, fields }: Pick<ResolvedOptions, 'collections' | 'fields'>,
): ShipmentLog {
  const orderFields: readonly Field[] = payload.collections[collections.orders]?.config.fields ?? []
  const orders = database.table(collections.orders)
  const idColumn = column(orders, 'id')
  const reference = column(orders, fields.reference)
  const createdAt = column(orders, 'createdAt')
  const ordersSlug = collections.orders
  const parts: ShipmentParts = { database, ordersSlug, statusField: fields.status }

  return {
    async findOrder(text) {
      // An order from before Storeconnect was added goes by its id, as in the export. Where another
      // order has that very reference, the reference counts.
      const orderId = readDocumentId(payload, ordersSlug, text)
      const byId = orderId === undefined ? sql`false` : sql`${idColumn} = ${orderId}`
      const [row] =
        await database.rows(sql`select ${idColumn} as "id", ${createdAt} as "createdAt" from ${orders}
        where ${reference} = ${text} or (coalesce(${reference}, '') = '' and ${byId})
        order by coalesce(${reference}, '') = '' limit 1`)
      if (row === undefined) return undefined
      const id = row.id as DocumentId
      return { id, reference: text, createdAt: new Date(String(row.createdAt)) }
    },

    hasStatus(status) {
      const field = findField(orderFields, fields.status)
      if (status === '' || (field?.type !== 'select' && field?.type !== 'radio')) return false
      return field.options.some((option) =>
        typeof option === 'string' ? option === status : option.value === status,
      )
    },

    locateEntry: (handles) => locateTracking(payload, ordersSlug, handles),

    async record(shipment) {
      const req = await createLocalReq({}, payload)
      return inTransaction(database, req, (own, isBegun) =>
        isBegun ? recordInTransaction(parts, shipment, own) : recordInBatch(parts, shipment, own),
      )
    },
  }
}

import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { CollectionConfig, JoinField } from 'payload'
import {
  bareName,
  column,
  type Connection,
  type Database,
  type Statement,
} from '../../database/database.js'
import type { DocumentId } from '../../database/document-id.js'
import { jsonRows } from '../../database/json-rows.js'
import { recordCollection, type IsAdmin } from '../../payload/admin-access.js'
import { adminGroup, label, labels } from '../../payload/label.js'
import type { Shop } from '../../shop.js'
import type { TrackingPlace } from './tracking-place.js'

export const noticesSlug = 'shipping-notices'

/** Every shipment notice, one record each: a second parcel does not erase the first. */
export const noticeCollection = (ordersSlug: string, isAdmin: IsAdmin): CollectionConfig => ({
  slug: noticesSlug,
  labels: labels('shipment', 'shipments'),
  admin: {
    group: adminGroup,
    description: label('shipmentsDescription'),
    useAsTitle: 'trackingNumber',
    defaultColumns: ['reference', 'carrier', 'service', 'trackingNumber', 'shipDate', 'createdAt'],
  },
  ...recordCollection(isAdmin),
  fields: [
    {
      name: 'order',
      type: 'relationship',
      relationTo: ordersSlug,
      label: label('order'),
      index: true,
    },
    { name: 'reference', type: 'text', label: label('reference') },
    { name: 'carrier', type: 'text', label: label('carrier') },
    { name: 'service', type: 'text', label: label('service') },
    { name: 'trackingNumber', type: 'text', label: label('trackingNumber'), index: true },
    {
      name: 'shipDate',
      type: 'date',
      label: label('shipDate'),
      admin: { date: { pickerAppearance: 'dayOnly', displayFormat: 'd MMM yyyy' } },
    },
    { name: 'shippingCost', type: 'text', label: label('shippingCost') },
    {
      name: 'lines',
      type: 'array',
      label: label('shippedLines'),
      labels: labels('shippedLine', 'shippedLines'),
      fields: [
        {
          type: 'row',
          fields: [
            { name: 'sku', type: 'text', label: label('sku') },
            { name: 'name', type: 'text', label: label('itemName') },
            { name: 'quantity', type: 'number', label: label('quantity') },
          ],
        },
      ],
    },
    // Unique, so that a repeated notice stays one record.
    { name: 'fingerprint', type: 'text', unique: true, admin: { hidden: true } },
  ],
})

export const shipmentsField = (): JoinField => ({
  name: 'shipments',
  type: 'join',
  collection: noticesSlug,
  on: 'order',
  label: label('shipments'),
  admin: {
    allowCreate: false,
    defaultColumns: ['carrier', 'service', 'trackingNumber', 'shipDate'],
  },
})

/** What ShipStation says of one parcel. */
export interface ShipmentNotice {
  carrier: string
  service: string
  trackingNumber: string
  /** The day of shipping as ShipStation wrote it, as an ISO date; undefined when it is missing. */
  shipDate: string | undefined
  /** What the label cost, as a decimal text in ShipStation's account currency. */
  shippingCost: string | undefined
  /** The line items in the parcel, and how many of each. */
  lines: { sku: string; name: string; quantity: number }[]
}

export interface ShippedOrder {
  id: DocumentId
  reference: string
  createdAt: Date
}

export interface Shipment {
  order: ShippedOrder
  status: string
  /** Undefined: the order's entry stays as it is. */
  entryPlace: TrackingPlace | undefined
  notice: ShipmentNotice
}

/**
 * The statements that store a notice. A repeated notice stays one record, because its fingerprint and the
 * ids of its lines are the same every time.
 */
export function noticeStatements(
  { database, effects }: Shop,
  connection: Connection,
  shipment: Shipment,
): Statement[] {
  const notices = database.table(noticesSlug)
  const lines = database.table(noticesSlug, 'lines')
  const { notice, order } = shipment
  const fingerprint = noticeFingerprint(shipment)
  const now = effects.now().toISOString()

  const head = connection.insertIgnoring(notices, {
    order: order.id,
    reference: order.reference,
    carrier: notice.carrier,
    service: notice.service,
    trackingNumber: notice.trackingNumber,
    shipDate: notice.shipDate === undefined ? null : `${notice.shipDate}T12:00:00.000Z`,
    shippingCost: notice.shippingCost ?? null,
    fingerprint,
    createdAt: now,
    updatedAt: now,
  })
  const target = sql.join(
    ['_order', '_parentID', 'id', 'sku', 'name', 'quantity'].map((name) =>
      bareName(column(lines, name)),
    ),
    sql`, `,
  )
  const parent = sql`(select ${column(notices, 'id')} from ${notices} where ${column(notices, 'fingerprint')} = ${fingerprint})`
  if (notice.lines.length === 0) return [head]
  const rows = notice.lines.map((line, index) => {
    return { order: index + 1, id: hash(`${fingerprint}:${index}`), ...line }
  })
  const lineRows = jsonRows(database, lineShape, rows)
  return [
    head,
    connection.run(sql`insert into ${lines} (${target})
      select "order", ${parent}, "id", "sku", "name", "quantity" from ${lineRows} as "lineRows" where true
      on conflict do nothing`),
  ]
}

const lineShape = {
  order: 'integer',
  id: 'text',
  sku: 'text',
  name: 'text',
  quantity: 'numeric',
} as const

export function noticeIdQuery(database: Database, shipment: Shipment) {
  const notices = database.table(noticesSlug)
  return sql`select ${column(notices, 'id')} as "id" from ${notices}
    where ${column(notices, 'fingerprint')} = ${noticeFingerprint(shipment)}`
}

/**
 * Equal notices of one order have the same one. `createdAt` belongs to it, as SQLite reuses the ids of
 * deleted orders.
 */
function noticeFingerprint({ order, notice }: Shipment): string {
  const { id, createdAt } = order
  const { carrier, service, trackingNumber, shipDate, shippingCost, lines } = notice
  const parcel = [carrier, service, trackingNumber, shipDate, shippingCost, lines]
  return hash(JSON.stringify([id, createdAt, ...parcel]))
}

// 24 hex digits, as Payload's own row ids have.
const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24)

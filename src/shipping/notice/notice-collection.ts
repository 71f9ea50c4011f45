import { createHash } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import type { CollectionConfig, Field, JoinField } from 'payload'
import {
  bareName,
  column,
  type Connection,
  type Database,
  type Statement,
} from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { jsonRows } from '../../core/database/json-rows.js'
import { recordCollection, type IsAdmin } from '../../core/payload/admin-access.js'
import { label, labels } from '../../core/payload/label.js'
import type { Shop } from '../../core/shop.js'
import type { TrackingPlace } from './tracking-place.js'

export const noticesSlug = 'shipping-notices'

/** What a notice says that may be about a person. It goes when the person is erased. */
const personalTexts = [
  'recipient',
  'notesToCustomer',
  'customField1',
  'customField2',
  'customField3',
] as const

export const withoutPerson: Readonly<Record<string, null>> = Object.fromEntries(
  personalTexts.map((name) => [name, null]),
)

/** Every shipment notice, one record each: a second parcel does not erase the first. */
export const noticeCollection = (ordersSlug: string, isAdmin: IsAdmin): CollectionConfig => ({
  slug: noticesSlug,
  labels: labels('shipment', 'shipments'),
  admin: {
    group: false,
    description: label('shipmentsDescription'),
    useAsTitle: 'trackingNumber',
    defaultColumns: [
      ...['reference', 'carrier', 'trackingNumber', 'state', 'shipDate', 'createdAt'],
    ],
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
      type: 'row',
      fields: [
        { name: 'statusBefore', type: 'text', label: label('statusBefore'), index: true },
        { name: 'statusAfter', type: 'text', label: label('statusAfter') },
      ],
    },
    {
      type: 'row',
      fields: [
        { name: 'itemsLeft', type: 'number', label: label('itemsLeft') },
        { name: 'repeats', type: 'number', label: label('noticeRepeats') },
      ],
    },
    {
      name: 'labelCreatedAt',
      type: 'date',
      label: label('labelCreatedAt'),
      admin: { date: { pickerAppearance: 'dayAndTime' } },
    },
    {
      name: 'notifyCustomer',
      type: 'select',
      label: label('notifyCustomer'),
      options: [
        { value: 'yes', label: label('notifyCustomerYes') },
        { value: 'no', label: label('notifyCustomerNo') },
      ],
    },
    ...personalTexts.map((name): Field => ({ name, type: 'textarea', label: label(name) })),
    {
      name: 'lines',
      type: 'array',
      label: label('shippedLines'),
      labels: labels('shippedLine', 'shippedLines'),
      fields: [
        {
          type: 'row',
          fields: [
            { name: 'lineItemId', type: 'text', label: label('lineItemId') },
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
    defaultColumns: ['carrier', 'service', 'trackingNumber', 'state', 'shipDate'],
  },
})

/** A line of an order as ShipStation got it. */
export interface OrderedLine {
  id?: string
  sku: string
  name: string
  quantity: number
}

/** A line of a parcel as ShipStation names it. */
export interface ParcelLine {
  /** The id of the order's line, which ShipStation sends back where it got it. */
  lineItemId?: string
  sku: string
  name: string
  quantity: number
}

export interface ShipmentNotice {
  carrier: string
  service: string
  trackingNumber: string
  /** The day of shipping as ShipStation wrote it, as an ISO date; undefined when it is missing. */
  shipDate: string | undefined
  /** What the label cost, as a decimal text in ShipStation's account currency. */
  shippingCost: string | undefined
  /** The line items in the parcel, and how many of each. */
  lines: ParcelLine[]
  /** When the label was made, as an ISO date; absent when ShipStation does not say. */
  labelCreatedAt?: string
  /** Whether the shop is to tell the customer: false when ShipStation does. */
  notifyCustomer?: boolean
  /** What the staff wrote to the customer. */
  notesToCustomer?: string
  /** Where the parcel goes: ShipStation's users may have corrected the address. */
  recipient?: Recipient
  customField1?: string
  customField2?: string
  customField3?: string
}

/** The address on a parcel. A part that ShipStation does not name is blank. */
export interface Recipient {
  name: string
  company: string
  address1: string
  address2: string
  city: string
  state: string
  postalCode: string
  country: string
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
  /** What is to be shipped of the order; undefined when that is not known. */
  ordered: readonly OrderedLine[] | undefined
  /** Whether the status waits until all items are shipped. */
  waitsForAllItems: boolean
}

/** What a notice changes, by the other notices of its order. */
export interface NoticeEffect {
  /** Undefined: it stays, as items are left. */
  status: string | undefined
  /** How many items no notice has named; undefined when this one is about the whole order, or when that is not known. */
  itemsLeft: number | undefined
  /** The condition that no other notice has come meanwhile by which this would be another. */
  isStillSo: SQL
}

/**
 * The statements that store a notice. A repeated one stays one record, as its fingerprint and the ids of its lines
 * are the same.
 */
export function noticeStatements(
  { database, effects, options: { collections, fields } }: Shop,
  connection: Connection,
  { effect: { status, itemsLeft: left }, ...shipment }: Shipment & { effect: NoticeEffect },
): Statement[] {
  const notices = database.table(noticesSlug)
  const lines = database.table(noticesSlug, 'lines')
  const { notice, order } = shipment
  const fingerprint = noticeFingerprint(shipment)
  const now = effects.now().toISOString()
  const orders = database.table(collections.orders)
  const before = sql`(select cast(${column(orders, fields.status)} as text) from ${orders}
    where ${column(orders, 'id')} = ${order.id})`

  const head = connection.insertIgnoring(notices, {
    order: order.id,
    reference: order.reference,
    carrier: notice.carrier,
    service: notice.service,
    trackingNumber: notice.trackingNumber,
    shipDate: notice.shipDate === undefined ? null : `${notice.shipDate}T12:00:00.000Z`,
    shippingCost: notice.shippingCost ?? null,
    statusBefore: before,
    statusAfter: status ?? before,
    itemsLeft: left ?? null,
    // The statement below counts from there, for a new notice and for a repeated one.
    repeats: -1,
    labelCreatedAt: notice.labelCreatedAt ?? null,
    notifyCustomer: { true: 'yes', false: 'no' }[String(notice.notifyCustomer)] ?? null,
    notesToCustomer: notice.notesToCustomer ?? null,
    recipient: notice.recipient ? addressText(notice.recipient) : null,
    customField1: notice.customField1 ?? null,
    customField2: notice.customField2 ?? null,
    customField3: notice.customField3 ?? null,
    fingerprint,
    createdAt: now,
    updatedAt: now,
  })
  const target = sql.join(
    ['_order', '_parentID', 'id', 'lineItemId', 'sku', 'name', 'quantity'].map((name) =>
      bareName(column(lines, name)),
    ),
    sql`, `,
  )
  const isOwn = sql`${column(notices, 'fingerprint')} = ${fingerprint}`
  const parent = sql`(select ${column(notices, 'id')} from ${notices} where ${isOwn})`
  const repeats = column(notices, 'repeats')
  const counted = connection.update(
    notices,
    { repeats: sql`coalesce(${repeats}, 0) + 1`, updatedAt: now },
    isOwn,
  )
  if (notice.lines.length === 0) return [head, counted]
  const rows = notice.lines.map((line, index) => {
    return { order: index + 1, id: hash(`${fingerprint}:${index}`), ...line }
  })
  const lineRows = jsonRows(database, lineShape, rows)
  return [
    head,
    counted,
    connection.run(sql`insert into ${lines} (${target})
      select "order", ${parent}, "id", "lineItemId", "sku", "name", "quantity" from ${lineRows} as "lineRows" where true
      on conflict do nothing`),
  ]
}

const lineShape = {
  order: 'integer',
  id: 'text',
  lineItemId: 'text',
  sku: 'text',
  name: 'text',
  quantity: 'numeric',
} as const

export function noticeIdQuery(database: Database, shipment: Shipment) {
  const notices = database.table(noticesSlug)
  return sql`select ${column(notices, 'id')} as "id" from ${notices}
    where ${column(notices, 'fingerprint')} = ${noticeFingerprint(shipment)}`
}

/** Equal notices of one order have the same one. `createdAt` is in it, as SQLite reuses the ids of deleted orders. */
export function noticeFingerprint({ order, notice }: Shipment): string {
  const { id, createdAt } = order
  const { carrier, service, trackingNumber, shipDate, shippingCost, lines } = notice
  const parcel = [carrier, service, trackingNumber, shipDate, shippingCost, lines]
  return hash(JSON.stringify([id, createdAt, ...parcel]))
}

const addressText = ({ postalCode, city, ...rest }: Recipient): string =>
  [
    rest.name,
    rest.company,
    rest.address1,
    rest.address2,
    `${postalCode} ${city}`.trim(),
    rest.state,
    rest.country,
  ]
    .filter(Boolean)
    .join('\n')

// 24 hex digits, as Payload's own row ids have.
const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24)

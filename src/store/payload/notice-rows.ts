import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Shipment } from '../shipment-log.js'
import { bareName, column, type Connection, type Database, type Statement } from './database.js'
import { noticesSlug } from './notice-collection.js'
import { jsonRows } from './json-rows.js'

/**
 * The statements that keep a notice in the history. A notice that is there already stays one
 * record: its fingerprint and the ids of its lines are the same every time.
 */
export function noticeStatements(
  database: Database,
  connection: Connection,
  shipment: Shipment,
): Statement[] {
  const notices = database.table(noticesSlug)
  const lines = database.table(noticesSlug, 'lines')
  const { notice, order } = shipment
  const fingerprint = noticeFingerprint(shipment)
  const now = new Date().toISOString()

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
  const rows = notice.lines.map(({ sku, name, quantity }, index) => {
    return { order: index + 1, id: hash(`${fingerprint}:${index}`), sku, name, quantity }
  })
  if (rows.length === 0) return [head]
  const said = jsonRows(database, lineShape, rows)
  return [
    head,
    connection.run(sql`insert into ${lines} (${target})
      select "order", ${parent}, "id", "sku", "name", "quantity" from ${said} as "said" where true
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

/** Finds the record of a notice. */
export function noticeIdQuery(database: Database, shipment: Shipment) {
  const notices = database.table(noticesSlug)
  return sql`select ${column(notices, 'id')} as "id" from ${notices}
    where ${column(notices, 'fingerprint')} = ${noticeFingerprint(shipment)}`
}

/** The same for two notices that say the same of the same order. SQLite gives the id of a deleted one again. */
function noticeFingerprint({ order, notice }: Pick<Shipment, 'order' | 'notice'>): string {
  const { id, createdAt } = order
  const { carrier, service, trackingNumber, shipDate, shippingCost, lines } = notice
  const parcel = [carrier, service, trackingNumber, shipDate, shippingCost, lines]
  return hash(JSON.stringify([id, createdAt, ...parcel]))
}

// 24 hex digits, as Payload's own row ids have.
const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24)

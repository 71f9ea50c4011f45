import { sql } from 'drizzle-orm'
import type { PayloadRequest } from 'payload'
import type { Shipment, TrackingPlace } from '../shipment-log.js'
import { column } from './database.js'
import { setAt, valueAt } from './document-value.js'
import { noticeIdQuery, noticeStatements } from './notice-rows.js'
import { saveUnvalidated } from './save-unvalidated.js'
import type { ShipmentParts } from './shipment-parts.js'

/**
 * Writes a shipment inside the request's transaction, which has begun: order, entry, history and
 * whatever the store's hooks write with the same request, all or nothing.
 */
export async function recordInTransaction(
  { database, ordersSlug, statusField }: ShipmentParts,
  shipment: Shipment,
  req: PayloadRequest,
): Promise<{ isNew: boolean }> {
  const { status, entryPlace } = shipment
  const orderId = shipment.order.id
  const connection = await database.within(req)
  const orders = database.table(ordersSlug)
  // Two notices at once: the second waits here, and then sees what the first has written.
  await connection.rows(sql`select 1 from ${orders} where ${column(orders, 'id')} = ${orderId}
    ${database.isSqlite ? sql`` : sql`for update`}`)

  const known = await connection.rows(noticeIdQuery(database, shipment))
  for (const statement of noticeStatements(database, connection, shipment)) await statement

  const data: Record<string, unknown> = {}
  setAt(data, statusField, status)
  if (entryPlace) {
    const order = await req.payload.findByID({ collection: ordersSlug, id: orderId, depth: 0, req })
    setAt(data, entryPlace.field, withEntry(valueAt(order, entryPlace.field), entryPlace, shipment))
  }
  await saveUnvalidated({ collectionSlug: ordersSlug, id: orderId, data }, req)
  return { isNew: known.length === 0 }
}

type Entry = Record<string, unknown>

/** One tracking entry: the first is overwritten, further ones go; blocks of other types stay. */
function withEntry(rows: unknown, place: TrackingPlace, { notice }: Shipment): Entry[] {
  const existing = (Array.isArray(rows) ? rows : []) as Entry[]
  const isEntry = (row: Entry) => place.block === undefined || row.blockType === place.block
  const entry: Entry = {
    ...existing.find(isEntry),
    ...(place.block !== undefined && { blockType: place.block }),
    [place.carrier]: notice.carrier,
    [place.service]: notice.service,
    [place.trackingNumber]: notice.trackingNumber,
  }
  return [...existing.filter((row) => !isEntry(row)), entry]
}

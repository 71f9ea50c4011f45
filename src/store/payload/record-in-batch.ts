import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { PayloadRequest } from 'payload'
import type { Shipment, TrackingPlace } from '../shipment-log.js'
import { bareName, column, optionalColumn, type Database, type Statement } from './database.js'
import { setAt } from './document-value.js'
import { noticeIdQuery, noticeStatements } from './notice-rows.js'
import { appendedInSql, readStatusChanges } from '../../shop-events/status-history.js'
import type { ShipmentParts } from './shipment-parts.js'
import { statusChangesField } from './order-fields.js'
import { trackingTable } from './tracking-table.js'

/**
 * Writes a shipment where the database has no transactions that bear concurrent writes (SQLite, see
 * `docs/decisions/0003-all-or-nothing.md`): order, entry and history in one batch, which is all or
 * nothing also after a kill; then the collection's `afterChange` hooks.
 */
export async function recordInBatch(
  { database, ordersSlug, statusField }: ShipmentParts,
  shipment: Shipment,
  req: PayloadRequest,
): Promise<{ isNew: boolean }> {
  const { status, entryPlace } = shipment
  const orderId = shipment.order.id
  const read = () => req.payload.findByID({ collection: ordersSlug, id: orderId, depth: 0, req })
  const previousDoc = await read()

  const orders = database.table(ordersSlug)
  const isOrder = sql`${column(orders, 'id')} = ${orderId}`
  const statusColumn = column(orders, statusField)
  const changes = column(orders, statusChangesField)
  const statusKey = statusField.replaceAll('.', '_')
  const results = await database.batch([
    // Changes nothing, but makes the batch a writing transaction from its first statement on.
    database.update(orders, { [statusKey]: status }, sql`false`),
    database.run(noticeIdQuery(database, shipment)),
    database.run(sql`select ${statusColumn} as "status", ${changes} as "changes"
      from ${orders} where ${isOrder}`),
    ...noticeStatements(database, database, shipment),
    database.update(
      orders,
      {
        [statusKey]: status,
        [statusChangesField]: appendedInSql({ changes, statusColumn, status, at: new Date() }),
        updatedAt: new Date().toISOString(),
      },
      isOrder,
    ),
    ...(entryPlace ? entryStatements(database, ordersSlug, { ...shipment, entryPlace }) : []),
  ])
  const [, known = [], before = []] = results

  // The status as it was in the batch: of two notices at once, one alone sees the change.
  const stored = before[0]
  setAt(previousDoc, statusField, stored?.status)
  setAt(previousDoc, statusChangesField, readStatusChanges(stored?.changes))
  await runAfterChange(ordersSlug, { doc: await read(), previousDoc, req })
  return { isNew: known.length === 0 }
}

/** One tracking entry: the first row is overwritten or made, further rows go. */
function entryStatements(
  database: Database,
  ordersSlug: string,
  { order: { id: orderId }, notice, entryPlace: place }: Shipment & { entryPlace: TrackingPlace },
): Statement[] {
  const { table, isEntryOf } = trackingTable(database, ordersSlug, place)
  const path = place.block === undefined ? undefined : optionalColumn(table, '_path')
  const [id, order, parent] = [
    column(table, 'id'),
    column(table, '_order'),
    column(table, '_parentID'),
  ]
  const isEntry = isEntryOf(sql`${orderId}`)
  const values = {
    [place.carrier]: notice.carrier,
    [place.service]: notice.service,
    [place.trackingNumber]: notice.trackingNumber,
  }
  const target = [order, parent, id, ...(path ? [path] : [])]
  const names = [...target, ...Object.keys(values).map((name) => column(table, name))]
  const row = [1, orderId, randomBytes(12).toString('hex'), ...(path ? [place.field] : [])]
  return [
    database.delete(
      table,
      sql`${isEntry} and ${id} <> (select ${id} from ${table} where ${isEntry} order by ${order} limit 1)`,
    ),
    database.update(table, values, isEntry),
    database.run(sql`insert into ${table} (${sql.join(names.map(bareName), sql`, `)})
      select ${sql.join(
        [...row, ...Object.values(values)].map((value) => sql`${value}`),
        sql`, `,
      )}
      where not exists (select 1 from ${table} where ${isEntry})`),
  ]
}

async function runAfterChange(
  ordersSlug: string,
  { doc, previousDoc, req }: { doc: object; previousDoc: object; req: PayloadRequest },
): Promise<void> {
  const collection = req.payload.collections[ordersSlug]?.config
  if (collection === undefined) throw new TypeError(`There is no collection "${ordersSlug}".`)
  let current = doc
  for (const hook of collection.hooks.afterChange) {
    const changed = (await hook({
      collection,
      context: req.context,
      data: current,
      doc: current,
      operation: 'update',
      overrideAccess: true,
      previousDoc,
      req,
    })) as object | undefined
    current = changed ?? current
  }
}

import { sql, type Column, type SQL } from 'drizzle-orm'
import type { PayloadRequest } from 'payload'
import { noticeIdQuery, noticeStatements, type Shipment } from './notice-collection.js'
import { effectOf } from './notice-effect.js'
import {
  deleteOldVersions,
  isUnchanged,
  newChange,
  shippedVersions,
  type Change,
} from './shipped-versions.js'
import { type TrackingPlace, trackingTable } from './tracking-place.js'
import { collectedStatements } from '../../core/database/collected-statements.js'
import { bareName, column, type Statement } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { setAt } from '../../core/payload/document-value.js'
import { appendedInSql, readStatusChanges } from '../../shop/orders/status-history.js'
import type { Shop } from '../../core/shop.js'
import { statusChangesField } from '../../shop/orders/order-fields.js'

/**
 * Writes a shipment to SQLite, whose transactions would block all other writes, in one batch
 * (`docs/decisions/0002-shipments.md`).
 */
export async function recordInBatch(
  shop: Shop,
  shipment: Shipment,
  req: PayloadRequest,
): Promise<{ isNew: boolean }> {
  const { database, effects } = shop
  const ordersSlug = shop.options.collections.orders
  const statusField = shop.options.fields.status
  const { entryPlace, notice } = shipment
  const orderId = shipment.order.id
  const hasSameVersions = await isUnchanged(shop, orderId)
  const effect = await effectOf(database, database, shipment)
  const { status } = effect
  const isStillSo = sql`${hasSameVersions} and ${effect.isStillSo}`
  const change = { status, entryPlace, notice, ...newChange(effects) }
  const read = () => req.payload.findByID({ collection: ordersSlug, id: orderId, depth: 0, req })
  const previousDoc = await read()

  const orders = database.table(ordersSlug)
  const isOrder = sql`${column(orders, 'id')} = ${orderId}`
  const statusColumn = column(orders, statusField)
  const changes = column(orders, statusChangesField)
  const statusKey = statusField.replaceAll('.', '_')
  const { at } = change
  const versions = await shippedVersions(shop, { id: orderId, change }, req)
  const versionStatements = await collectedStatements(req.payload, effects, async (collecting) => {
    for (const version of versions) await collecting.createVersion(version)
  })
  const statements = [
    // Changes nothing, but makes the batch a writing transaction from its first statement on.
    database.update(orders, { updatedAt: at }, sql`false`),
    database.run(noticeIdQuery(database, shipment)),
    database.run(sql`select ${statusColumn} as "status", ${changes} as "changes"
      from ${orders} where ${isOrder}`),
    // SQLite ends a batch at a text that is no JSON.
    database.run(sql`select json(case when ${isStillSo} then '0' else 'changed' end)`),
    ...noticeStatements(shop, database, { ...shipment, effect }),
    database.update(
      orders,
      {
        ...(status !== undefined && {
          [statusKey]: status,
          [statusChangesField]: appendedInSql({ changes, statusColumn }, { status, at }),
        }),
        updatedAt: at,
      },
      isOrder,
    ),
    ...(entryPlace ? entryStatements(shop, { orderId, entryPlace, change }) : []),
    ...versionStatements,
  ]
  const results = await database.batch(statements).catch(async (error: unknown) => {
    const [state] = await database.rows(sql`select ${isStillSo} as "isStillSo"`)
    if (Number(state?.isStillSo) === 1) throw error
    return undefined
  })
  // A save or another parcel has come between, and nothing was written.
  if (results === undefined) return recordInBatch(shop, shipment, req)
  await deleteOldVersions(shop, orderId, req)
  const [, earlier = [], before = []] = results

  // The status that the batch has read: of two notices at once, only one sees the change.
  const stored = before[0]
  setAt(previousDoc, statusField, stored?.status)
  setAt(previousDoc, statusChangesField, readStatusChanges(stored?.changes))
  await runAfterChange(ordersSlug, { doc: await read(), previousDoc, req })
  return { isNew: earlier.length === 0 }
}

/** Leaves one tracking entry: the first row is overwritten or made, further rows are deleted. */
function entryStatements(
  shop: Shop,
  {
    orderId,
    entryPlace: place,
    change: { notice, entryId },
  }: { orderId: DocumentId; entryPlace: TrackingPlace; change: Change },
): Statement[] {
  const { database } = shop
  const { table, marks, isEntryOf } = trackingTable(shop, place)
  const id = column(table, 'id')
  const order = column(table, '_order')
  const isEntry = isEntryOf(sql`${orderId}`)
  const values = {
    [place.carrier]: notice.carrier,
    [place.service]: notice.service,
    [place.trackingNumber]: notice.trackingNumber,
  }
  const row: (readonly [Column, unknown])[] = [
    [order, 1],
    [column(table, '_parentID'), orderId],
    [id, entryId],
    ...marks,
    ...Object.entries(values).map(([name, value]) => [column(table, name), value] as const),
  ]
  return [
    database.delete(
      table,
      sql`${isEntry} and ${id} <> (select ${id} from ${table} where ${isEntry} order by ${order} limit 1)`,
    ),
    database.update(table, values, isEntry),
    database.run(sql`insert into ${table} (${commaSeparated(row.map(([of]) => bareName(of)))})
      select ${commaSeparated(row.map(([, value]) => sql`${value}`))}
      where not exists (select 1 from ${table} where ${isEntry})`),
  ]
}

const commaSeparated = (parts: SQL[]) => sql.join(parts, sql`, `)

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

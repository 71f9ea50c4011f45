import { sql, type SQL } from 'drizzle-orm'
import type { TrackingPlace } from '../shipment-log.js'
import { column, optionalColumn, type Database, type PayloadTable } from './database.js'

/** The rows in which the tracking entries are. */
export interface TrackingTable {
  table: PayloadTable
  /** Whether a row is an entry of the order. */
  isEntryOf: (orderId: SQL) => SQL
}

/** Finds the table of a tracking field: an array's own, or that of a block. */
export function trackingTable(
  database: Database,
  ordersSlug: string,
  place: TrackingPlace,
): TrackingTable {
  const isArray = place.block === undefined
  const table = isArray
    ? database.table(ordersSlug, ...place.field.split('.'))
    : database.table(ordersSlug, 'blocks', place.block ?? '')
  const path = isArray ? undefined : optionalColumn(table, '_path')
  const parent = column(table, '_parentID')
  return {
    table,
    isEntryOf: (orderId) =>
      path ? sql`${parent} = ${orderId} and ${path} = ${place.field}` : sql`${parent} = ${orderId}`,
  }
}

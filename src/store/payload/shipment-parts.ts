import type { Database } from './database.js'

/** What both ways of recording a shipment need. */
export interface ShipmentParts {
  database: Database
  ordersSlug: string
  statusField: string
}

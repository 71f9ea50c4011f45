import type { PayloadRequest } from 'payload'
import type { DocumentId } from '../../commerce/order.js'
import type { Database } from './database.js'

/** What both ways of recording a shipment need. */
export interface ShipmentParts {
  database: Database
  ordersSlug: string
  statusField: string
  /** Tells of parcels of an order whose status says already that it is shipped. */
  tellParcels: (orderId: DocumentId, told: { since: Date; req: PayloadRequest }) => Promise<void>
}

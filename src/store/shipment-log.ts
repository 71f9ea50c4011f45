import type { DocumentId } from '../commerce/order.js'
import type { ShipmentNotice } from '../commerce/shipment-notice.js'

/** Where the tracking entry is kept: an array field, or a block of a blocks field. */
export interface TrackingPlace {
  field: string
  /** The block's slug; undefined for an array field. */
  block: string | undefined
  carrier: string
  service: string
  trackingNumber: string
}

/** The order that a shipment is of. */
export interface ShippedOrder {
  id: DocumentId
  reference: string
  createdAt: Date
}

export interface Shipment {
  order: ShippedOrder
  /** The status that the order moves to. */
  status: string
  /** Undefined: the order's entry stays as it is. */
  entryPlace: TrackingPlace | undefined
  notice: ShipmentNotice
}

/** Writes shipments to orders. */
export interface ShipmentLog {
  /** The order of this reference; undefined when there is none. */
  findOrder(reference: string): Promise<ShippedOrder | undefined>
  /** Whether the orders' status field knows this handle. */
  hasStatus(status: string): boolean
  /** The field that these handles name, or why there is none. */
  locateEntry(handles: {
    matrixField: string
    entryType: string
    carrierField: string
    serviceField: string
    trackingNumberField: string
  }): { place: TrackingPlace } | { missing: string } | { blank: string }
  /**
   * Status, tracking entry and history, all or nothing. Runs the collection's `afterChange` hooks.
   * The same notice again changes nothing in the history.
   *
   * @returns whether the notice was new.
   */
  record(shipment: Shipment): Promise<{ isNew: boolean }>
}

import type { DocumentId, Order } from '../commerce/order.js'

/** Reads the orders that the export writes. */
export interface OrderReader {
  /**
   * The orders of these ids, in that order, each of them whole. An id without an order is passed over,
   * and so is an order that is still being saved.
   */
  read(ids: readonly DocumentId[]): Promise<Order[]>
  /** Those that are not whole. */
  beingSaved(ids: readonly DocumentId[]): Promise<OrderBeingSaved[]>
}

export interface OrderBeingSaved {
  orderId: DocumentId
  reference: string
  /** When the save began. */
  since: Date
  /** The save has ended in the midst, by a kill for example. */
  isCutOff: boolean
}

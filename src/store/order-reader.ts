import type { DocumentId, Order } from '../commerce/order.js'

/** Reads the orders that the export writes. */
export interface OrderReader {
  /** The orders of these ids, in that order. An id without an order is passed over. */
  read(ids: readonly DocumentId[]): Promise<Order[]>
}

import type { DocumentId } from '../commerce/order.js'
import type { OrderDetails } from '../marketing/order-details.js'

/**
 * What is sent of an order or a cart, in the shape of the built-in events; undefined when it is not
 * there. The store's own code keeps one back, or fails at it, which is in the log then.
 */
export interface OrderDetailsSource {
  ofOrder(
    where:
      | { number: string }
      /** As a text from outside names it; only an order of this account. */
      | { id: string; customerId: DocumentId },
  ): Promise<OrderDetails | 'kept back' | undefined>
  ofCart(
    where: { id: DocumentId } | { number: string },
  ): Promise<OrderDetails | 'kept back' | undefined>
}

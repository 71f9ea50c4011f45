import type { DocumentId } from '../commerce/order.js'
import type { Visitor } from './visitor.js'

/** A cart, or the order that it became, as the link in a mail names it. */
export interface LeftCart {
  /** Undefined for an order whose cart is gone. */
  id: DocumentId | undefined
  number: string
  /** The site that it was created on; undefined for one that is older than the sites. */
  siteId: DocumentId | undefined
  /** The account that it belongs to; undefined for a guest's. */
  customerId: DocumentId | undefined
  isCompleted: boolean
}

/** Carts that were left behind, for the link that brings them back. */
export interface LeftCarts {
  /** By its number. One query for a cart. */
  find(number: string): Promise<LeftCart | undefined>
  /** Whether somebody can log in to the account that the cart belongs to. */
  isAbleToLogIn(customerId: DocumentId): Promise<boolean>
  /** Whether the visitor is logged in to the account. */
  isCustomer(visitor: Visitor | undefined, customerId: DocumentId): boolean
  /**
   * Puts the cart into the visitor's hands: a guest's becomes a customer's own, and one that a guest
   * gets back has a secret, so that the extension's own pages can read it. Doing it again changes
   * nothing.
   */
  handOver(
    cart: LeftCart,
    hands: { sessionId: string; visitor: Visitor | undefined },
  ): Promise<void>
  /** Writes a discount code on the cart. Writing it again changes nothing. */
  addCoupon(cart: LeftCart, code: string): Promise<void>
}

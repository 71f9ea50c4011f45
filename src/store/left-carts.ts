import type { DocumentId } from '../commerce/order.js'
import type { CartHolder } from './carts.js'
import type { Visitor } from './visitor.js'

/** A cart that was left behind and is not completed, as the link in a mail names it. */
export interface LeftCart {
  id: DocumentId
  number: string
  /** The site that it was created on; undefined for one that is older than the sites. */
  siteId: DocumentId | undefined
  /** The account that it belongs to; undefined for a guest's. */
  customerId: DocumentId | undefined
}

/** Carts that were left behind, for the link that brings them back. */
export interface LeftCarts {
  /** By its number, which an order may have too. One query for a cart. */
  find(number: string): Promise<LeftCart | 'completed' | undefined>
  /** Whether somebody can log in to the account that the cart belongs to. */
  isAbleToLogIn(customerId: DocumentId): Promise<boolean>
  /** Whether the visitor is logged in to the account. */
  isCustomer(visitor: Visitor | undefined, customerId: DocumentId): boolean
  /** A guest's cart in the hands of a customer becomes theirs. Doing it again changes nothing. */
  handOver(cart: LeftCart, hands: Omit<CartHolder, 'cartId'>): Promise<void>
  /** Writes a discount code on the cart. Writing it again changes nothing. */
  addCoupon(cart: LeftCart, code: string): Promise<void>
}

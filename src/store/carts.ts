import type { Cart, CartLine } from '../commerce/cart.js'
import type { DocumentId } from '../commerce/order.js'
import type { Site } from '../commerce/site.js'
import type { Visitor } from './visitor.js'

/** In whose hands a cart is. */
export interface CartHolder {
  /** The visitor's session: who has no cart yet is told apart by it. */
  sessionId: string
  /** The cart that the session names. */
  cartId: DocumentId | undefined
  /** Those before. They are the holder's while that one is a cart of another commerce store. */
  formerCartIds?: readonly DocumentId[] | undefined
  visitor: Visitor | undefined
  /** The site that the visitor is on; undefined in a store without sites. */
  site: Site | undefined
}

/** A cart as far as a change of its lines needs to know it. */
export type ChangingCart = Pick<Cart, 'lines' | 'currency'>

/**
 * Visitors' carts. A holder's cart is the one that the session names while it is open and nobody
 * else's; for a customer else the own open cart that changed last. A cart of another commerce store
 * than the one that the holder's site sells for is in nobody's hands there.
 */
export interface Carts {
  find(holder: CartHolder): Promise<Cart | undefined>
  /**
   * Replaces the lines of the holder's cart by what `change` makes of them, and creates the cart
   * when there is none yet; a new one is of the holder's site. Two changes at once happen one after the other. A guest's cart in the
   * hands of a customer becomes theirs. What `change` throws is thrown, and nothing is written.
   */
  update(holder: CartHolder, change: (cart: ChangingCart) => CartLine[]): Promise<Cart>
  /** Whether the cart that the session names is one of another commerce store. */
  isOfAnotherStore(holder: Pick<CartHolder, 'cartId' | 'site'>): Promise<boolean>
  /**
   * Makes a guest's cart the customer's, and takes the secret from one that is: no guest is to read
   * it. Does nothing where there is none. What the store's hooks refuse stays a guest's; the log
   * says why.
   */
  adopt(holder: CartHolder): Promise<void>
}

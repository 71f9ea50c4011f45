import type { DocumentId } from '../commerce/order.js'

/** Behind which document a page begins, in the order of the moment and the id. */
export interface Position {
  at: Date
  /** Undefined: behind all of that moment. */
  id: DocumentId | undefined
}

/** What changed in the shop a while ago, told again in case a crash came between change and send. */
export interface PastChanges {
  /**
   * Stores again what orders that were changed behind the position have to tell of what happened
   * after `since`; what is stored already stays as it is. One page. Resolves to where the next one
   * begins, and to undefined after the last.
   */
  tellOrders(from: Position, since: Date): Promise<Position | undefined>
  /** The same of checkouts that were begun. */
  tellCheckouts(from: Position): Promise<Position | undefined>
}

/** Carts that changed, as soon as nobody changes them any more. */
export interface QuietCarts {
  /**
   * Tells of the carts that changed last between the position and `until`, each as it is now. One
   * page. Resolves to where the next one begins, and to undefined after the last.
   */
  tell(from: Position, until: Date): Promise<Position | undefined>
}

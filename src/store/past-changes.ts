import type { DocumentId } from '../commerce/order.js'

/** Behind which document a page begins, in the order of the moment and the id. */
export interface Position {
  at: Date
  /** Undefined: behind all of that moment. */
  id: DocumentId | undefined
}

/** How far all that changed was looked at, by whichever process did so last. It outlives them. */
export interface WalkEnd {
  /** Undefined before the first walk. */
  lastEnd(): Promise<Date | undefined>
  keepEnd(end: Date): Promise<void>
}

/**
 * What changed in the shop a while ago, told again in case a crash came between change and send; what
 * is stored already stays as it is. Each tells one page of what changed behind the position, until a
 * moment. Resolves to where the next one begins, and to undefined after the last.
 */
export interface PastChanges extends WalkEnd {
  /** For how long a change may be half written; 0 where it is there as a whole or not at all. */
  settleMs: number
  /** What happened to orders at `since` or later. */
  tellOrders(from: Position, range: { since: Date; until: Date }): Promise<Position | undefined>
  /** Checkouts that were begun. */
  tellCheckouts(from: Position, until: Date): Promise<Position | undefined>
  /** Accounts that were saved. */
  tellAccounts(from: Position, until: Date): Promise<Position | undefined>
}

/** Carts that changed, as soon as nobody changes them any more. */
export interface QuietCarts extends WalkEnd {
  /**
   * Tells of the carts that changed last between the position and `until`, each as it is now. One
   * page. Resolves to where the next one begins, and to undefined after the last.
   */
  tell(from: Position, until: Date): Promise<Position | undefined>
}

import type { DocumentId } from '../commerce/order.js'

/** An order that the export left out, and why. */
export interface Omission {
  orderId: DocumentId
  reference: string
  reasons: string[]
  /** False for an order that nobody means to ship: there is nothing to mend. */
  isFailure: boolean
  /** When the order was last changed. */
  changedAt: Date
}

/** What the merchant sees of the orders left out. */
export interface OmissionRecord {
  /**
   * Notes the orders of a page that were left out and clears the notes of those that passed.
   * Touches nothing when nothing has changed.
   */
  update(page: { passed: readonly DocumentId[]; omitted: readonly Omission[] }): Promise<void>
  /** Orders that were changed after they were noted, up to so many. */
  changedSince(most: number): Promise<DocumentId[]>
}

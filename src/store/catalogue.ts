import type { DocumentId } from '../commerce/order.js'
import type { Visitor } from './visitor.js'

/** A product, or one variant of it, that a visitor may buy. */
export interface Purchasable {
  productId: DocumentId
  variantId: DocumentId | undefined
  /** Minor units by currency; a currency without a price is not in it. */
  prices: Readonly<Record<string, number>>
}

/** Ids as a form posted them; at least one is there. */
export interface PurchasableId {
  productId: string | undefined
  variantId: string | undefined
}

/** What can be put into a cart. */
export interface Catalogue {
  /**
   * In the order of the ids; undefined for what is unknown, not published, not for this visitor to
   * see, or a variant of another product.
   */
  find(
    ids: readonly PurchasableId[],
    visitor: Visitor | undefined,
  ): Promise<(Purchasable | undefined)[]>
}

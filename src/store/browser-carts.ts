import type { DocumentId } from '../commerce/order.js'
import type { CartHolder } from './carts.js'

/** What a browser needs to ask the extension for a cart by itself. */
export interface BrowserCart {
  id: DocumentId
  /** The key to it. A customer's own cart has none, as their login opens it. */
  secret?: string
}

/** The carts of visitors, as the extension's own code in their browsers may keep them. */
export interface BrowserCarts {
  /** The holder's cart (`Carts`); undefined when there is none, or when it is an account's not theirs. */
  find(holder: CartHolder): Promise<BrowserCart | undefined>
}

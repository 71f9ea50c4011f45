import type { DocumentId } from '../../commerce/order.js'
import type { BrowserCart, BrowserCarts } from '../../store/browser-carts.js'
import type { CartHolder } from '../../store/carts.js'

/** What the visitor's browser is told of their cart; nothing when they never had one. */
export interface SessionCart {
  cart?: BrowserCart
  /** The session's cart that is not the visitor's any more, such as one that was paid. */
  gone?: DocumentId
}

/** The cart that the browser is to show. */
export async function sessionCart(
  browserCarts: BrowserCarts,
  holder: CartHolder,
): Promise<SessionCart> {
  const cart = await browserCarts.find(holder)
  if (cart !== undefined) return { cart }
  return holder.cartId === undefined ? {} : { gone: holder.cartId }
}

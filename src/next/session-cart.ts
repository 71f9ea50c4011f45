import type { BrowserCarts } from '../store/browser-carts.js'
import type { CartHolder } from '../store/carts.js'
import type { BrowserCartProps } from './browser-cart.js'

/** What the visitor's browser is told of their cart. */
export async function sessionCart(
  browserCarts: BrowserCarts,
  holder: CartHolder,
): Promise<Pick<BrowserCartProps, 'cart' | 'gone'>> {
  const cart = await browserCarts.find(holder)
  return cart ? { cart } : { gone: holder.cartId }
}

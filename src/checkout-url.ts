import { partsOf } from './installation.js'
import type { CheckoutUrl } from './store/checkout-url.js'

/**
 * The link that brings a cart back, for a mail or a campaign of the store's own; `CheckoutURL` of
 * the cart events is the same. It is on the cart's own site, else on the primary one, else on
 * Payload's `serverURL`. Undefined when the cart has no number, or there is no URL to hang it off.
 * The link is a key to the cart: it belongs in the hands of the cart's customer, and in no log.
 *
 * @param cart A document of `carts`, or just its number and site.
 * @throws {TypeError} when the config has no enabled `storeConnect()`, or the coupon is longer than
 * 64 characters.
 * @example
 * const link = await checkoutUrl(payload, cart, { coupon: 'COME-BACK-10' })
 */
export const checkoutUrl = (
  payload: Parameters<typeof partsOf>[0],
  ...about: Parameters<CheckoutUrl>
): ReturnType<CheckoutUrl> => partsOf(payload).checkoutUrl(...about)

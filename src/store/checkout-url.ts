/**
 * The restore link of a cart's document, on the cart's own site. Undefined when the cart has no
 * number, or there is no URL to hang the link off.
 *
 * @throws {TypeError} when the coupon is none that a link can carry.
 */
export type CheckoutUrl = (
  cart: object,
  options?: { coupon?: string | undefined },
) => Promise<string | undefined>

import type { BasePayload } from 'payload'
import { partsOf } from '../core/installation.js'
import type { AbandonedCartLink } from './restore-link.js'

/**
 * Resolves to the link that restores a cart, for the store's own mails. It is the same link as
 * `CheckoutURL` of the cart events. Its base is the URL of the cart's site, else of the primary site,
 * else Payload's `serverURL`. Undefined when the cart has no number or there is no base URL. The link
 * gives access to the cart: send it to the cart's customer only, and do not log it.
 *
 * @throws {TypeError} when the config has no enabled `storeConnect()`, or the coupon is longer than
 * 64 characters.
 * @example
 * const link = await abandonedCartUrl({ payload, cart, coupon: 'COME-BACK-10' })
 */
export const abandonedCartUrl = ({
  payload,
  ...link
}: AbandonedCartUrlOptions): Promise<string | undefined> =>
  partsOf(payload).then((parts) => parts.abandonedCartUrl(link))

export interface AbandonedCartUrlOptions extends AbandonedCartLink {
  payload: BasePayload
}

import type { Site } from '../../shop/sites/site.js'
import type { ProblemCode } from '../../core/errors.js'
import { siteUrl } from '../../shop/sites/site-url.js'
import type { AbandonedCart } from './abandoned-carts.js'

/** What is known about the cart and the site where its link was opened. */
export interface PlaceFacts {
  cart: AbandonedCart | 'completed' | undefined
  /** The site that the visitor is on. */
  current: Site | undefined
  /** The site that the cart was created on; undefined when the cart has none, or it was deleted. */
  cartSite: Site | undefined
  /** Whether the same link on another site sent the visitor here. */
  hasMoved: boolean
}

type PlaceDecision =
  | { do: 'refuse'; code: ProblemCode }
  /** Send the visitor to the same link on the cart's site. */
  | { do: 'move'; site: Site }
  | { do: 'goOn'; cart: AbandonedCart; cartUrl: string }

/** Rules 1 to 5 of `docs/interface.md` (Cart restore). Chooses; changes nothing. */
export function decideByPlace({ cart, current, cartSite, hasMoved }: PlaceFacts): PlaceDecision {
  if (cart === undefined) return refuse('CART_NOT_FOUND')
  if (cart === 'completed') return refuse('CART_COMPLETED')
  if (cartSite !== undefined && cartSite.id !== current?.id) {
    // A site whose base URL is invalid cannot be moved to, so the visitor stays here.
    if (!hasMoved && siteUrl(cartSite.baseUrl, '/') !== undefined) {
      return { do: 'move', site: cartSite }
    }
    if (cartSite.store !== (current?.store ?? '')) return refuse('CART_OF_OTHER_STORE')
  }
  // A cart that is older than the sites counts as one of the current site.
  const cartUrl = cartUrlOf(cartSite ?? current)
  return cartUrl === undefined ? refuse('CART_URL_MISSING') : { do: 'goOn', cart, cartUrl }
}

/** Where a site shows its cart; undefined when its Cart URL is missing or invalid. */
const cartUrlOf = (site: Site | undefined): string | undefined =>
  site && siteUrl(site.baseUrl, site.cartUrl)

const refuse = (code: ProblemCode): PlaceDecision => ({ do: 'refuse', code })

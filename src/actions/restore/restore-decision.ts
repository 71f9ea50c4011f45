import type { Site } from '../../commerce/site.js'
import type { ProblemCode } from '../../errors.js'
import { siteUrl } from '../../http/site-url.js'
import type { LeftCart } from '../../store/left-carts.js'

/** What is known of the cart and the place where its link was opened. */
export interface PlaceFacts {
  cart: LeftCart | 'completed' | undefined
  /** The site that the visitor is on. */
  current: Site | undefined
  /** The one that the cart was created on; undefined when the cart has none, or it is gone. */
  cartSite: Site | undefined
  /** Whether the link has sent the visitor here from another site. */
  hasMoved: boolean
}

export type PlaceDecision =
  | { do: 'refuse'; code: ProblemCode }
  /** To the same link on the cart's site. */
  | { do: 'move'; site: Site }
  | { do: 'goOn'; cart: LeftCart; cartUrl: string }

/** Rules 1 to 5 of cart restore (`interface.md`). Chooses; changes nothing. */
export function decideByPlace({ cart, current, cartSite, hasMoved }: PlaceFacts): PlaceDecision {
  if (cart === undefined) return refuse('CART_NOT_FOUND')
  if (cart === 'completed') return refuse('CART_COMPLETED')
  if (cartSite !== undefined && cartSite.id !== current?.id) {
    // Where nobody can be sent, the visitor has been already.
    if (!hasMoved && siteUrl(cartSite.baseUrl, '/') !== undefined) {
      return { do: 'move', site: cartSite }
    }
    if (cartSite.store !== (current?.store ?? '')) return refuse('CART_OF_OTHER_STORE')
  }
  // A cart that is older than the sites counts as one of the current site.
  const cartUrl = cartUrlOf(cartSite ?? current)
  return cartUrl === undefined ? refuse('CART_URL_MISSING') : { do: 'goOn', cart, cartUrl }
}

/** Where a site shows its cart. Undefined when it has no Cart URL, or none that leads anywhere. */
const cartUrlOf = (site: Site | undefined): string | undefined =>
  site && siteUrl(site.baseUrl, site.cartUrl)

const refuse = (code: ProblemCode): PlaceDecision => ({ do: 'refuse', code })

/** Whose the cart is, to the visitor. */
export type CartOwner =
  /** A guest's, or an account's that nobody can log in to. */
  | 'nobody'
  | 'visitor'
  /** Another account than the one that the visitor is logged in to. */
  | 'other'
  /** An account's that somebody can log in to, while the visitor is logged out. */
  | 'account'

export type VisitorDecision = 'askToLogOut' | 'askToLogIn' | 'restore'

/** Rules 6 to 8 of cart restore (`interface.md`). Chooses; changes nothing. */
export function decideByVisitor(owner: CartOwner): VisitorDecision {
  if (owner === 'other') return 'askToLogOut'
  if (owner === 'account') return 'askToLogIn'
  return 'restore'
}

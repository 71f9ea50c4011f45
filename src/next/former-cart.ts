import { cartQuantity } from '../commerce/cart.js'
import type { Site } from '../commerce/site.js'
import type { RestoreLinks } from '../http/restore-link.js'
import type { CartHolder, Carts } from '../store/carts.js'

/** A cart that the visitor had before, and may have again. */
export interface FormerCart {
  /** How many things it holds. */
  quantity: number
  /** Path of the link that brings it back. */
  restoreUrl: string
}

export interface FormerCartParts {
  carts: Pick<Carts, 'find'>
  links: RestoreLinks
}

/** Undefined when the holder's former cart is completed, empty, not theirs or shown already. */
export async function formerCart(
  { carts, links }: FormerCartParts,
  holder: CartHolder,
  pageUrl: string,
): Promise<FormerCart | undefined> {
  const { formerCartId } = holder
  if (formerCartId === undefined) return undefined
  const former = await carts.find({ ...holder, cartId: formerCartId, formerCartId: undefined })
  // For a customer, another one of theirs stands in for a cart that is gone.
  if (former?.id !== formerCartId || cartQuantity(former) === 0) return undefined
  const shown = await carts.find(holder)
  const url = shown?.id === former.id ? undefined : links.url(baseOf(holder.site, pageUrl), former)
  return url === undefined ? undefined : { quantity: cartQuantity(former), restoreUrl: pathOf(url) }
}

/** The visitor stays where their session is: a site that only stands in may be on another host. */
function baseOf(site: Site | undefined, pageUrl: string): string {
  const { origin } = new URL(pageUrl)
  const isHere =
    site !== undefined && URL.canParse(site.baseUrl) && new URL(site.baseUrl).origin === origin
  return isHere ? site.baseUrl : origin
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

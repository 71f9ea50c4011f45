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

/** The last one that is neither completed nor empty, is still theirs and not shown already. */
export async function formerCart(
  { carts, links }: FormerCartParts,
  holder: CartHolder,
  pageUrl: string,
): Promise<FormerCart | undefined> {
  const { formerCartIds = [] } = holder
  const shown = formerCartIds.length === 0 ? undefined : await carts.find(holder)
  for (const cartId of formerCartIds) {
    const former = await carts.find({ ...holder, cartId, formerCartIds: [] })
    // For a customer, another one of theirs stands in for a cart that is gone.
    if (former?.id !== cartId || cartId === shown?.id || cartQuantity(former) === 0) continue
    const url = links.url(baseOf(holder.site, pageUrl), former)
    if (url !== undefined) return { quantity: cartQuantity(former), restoreUrl: pathOf(url) }
  }
  return undefined
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

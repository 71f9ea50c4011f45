import { cartQuantity } from '../../carts/cart.js'
import type { Carts } from '../../carts/carts.js'
import type { CartHolder } from '../../carts/find-cart.js'
import type { RestoreLinks } from '../../carts/restore-link.js'
import { parseUrl } from '../../core/http/public-origin.js'
import type { Site } from '../../shop/sites/site.js'

/** The cart that the visitor had before another one was restored. */
export interface FormerCart {
  /** How many things it holds. */
  quantity: number
  /** Path of the link that brings it back. */
  restoreUrl: string
}

/**
 * Finds the visitor's newest former cart that is neither completed nor empty, still belongs to them
 * and is not the cart that they see now.
 */
export async function formerCart(
  { carts, links }: { carts: Pick<Carts, 'find'>; links: RestoreLinks },
  holder: CartHolder,
  pageUrl: string,
): Promise<FormerCart | undefined> {
  const { formerCartIds = [] } = holder
  const shown = formerCartIds.length === 0 ? undefined : await carts.find(holder)
  for (const cartId of formerCartIds) {
    const former = await carts.find({ ...holder, cartId, formerCartIds: [] })
    // When the cart is gone, `find` returns another cart of the same customer.
    if (former?.id !== cartId || cartId === shown?.id || cartQuantity(former) === 0) continue
    const url = links.url(baseOf(holder.site, pageUrl), former)
    if (url === undefined) continue
    const { pathname, search } = new URL(url)
    return { quantity: cartQuantity(former), restoreUrl: pathname + search }
  }
  return undefined
}

/** The session's cookie is valid on the page's own host only, and a fallback site may be on another host. */
function baseOf(site: Site | undefined, pageUrl: string): string {
  const { origin } = new URL(pageUrl)
  return site && parseUrl(site.baseUrl)?.origin === origin ? site.baseUrl : origin
}

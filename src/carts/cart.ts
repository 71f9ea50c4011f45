import type { DocumentId } from '../core/database/document-id.js'
import type { SessionData } from '../core/http/session.js'

export interface CartLine {
  /** Undefined until the line is stored. */
  id: string | undefined
  productId: DocumentId
  /** Undefined where the product has no variants. */
  variantId: DocumentId | undefined
  quantity: number
}

export interface Cart {
  id: DocumentId
  /** 32 hex digits, unguessable. The order that the cart becomes has the same number. */
  number: string
  lines: CartLine[]
  /** In minor units of the currency. */
  subtotal: number
  currency: string
}

/** The sum of the quantities of all lines. */
export const cartQuantity = ({ lines }: Pick<Cart, 'lines'>): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0)

type CartId = NonNullable<SessionData['cartId']>

/** The most former carts in a session, since a cookie is small. */
const formerCartsKept = 5

/** The session's values after a change to another cart. `kept`, the current cart, becomes the first former cart. */
export function withCart(
  { formerCartIds = [] }: Readonly<SessionData>,
  cartId: CartId,
  kept?: CartId,
): { cartId: CartId; formerCartIds: CartId[] | undefined } {
  const others = [...(kept === undefined ? [] : [kept]), ...formerCartIds]
  const formers = [...new Set(others)].filter((id) => id !== cartId).slice(0, formerCartsKept)
  return { cartId, formerCartIds: formers.length === 0 ? undefined : formers }
}

import type { SessionData } from './session.js'

type CartId = NonNullable<SessionData['cartId']>

/** A cookie has little room. */
const formerCartsKept = 5

/**
 * What a session says when another cart is in use. `kept` is the one until now, when it must not be
 * lost; the last one comes first.
 */
export function withCart(
  { formerCartIds = [] }: Readonly<SessionData>,
  cartId: CartId,
  kept?: CartId,
): { cartId: CartId; formerCartIds: CartId[] | undefined } {
  const others = [...(kept === undefined ? [] : [kept]), ...formerCartIds]
  const formers = [...new Set(others)].filter((id) => id !== cartId).slice(0, formerCartsKept)
  return { cartId, formerCartIds: formers.length === 0 ? undefined : formers }
}

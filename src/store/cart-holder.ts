import type { SessionData } from '../http/session.js'
import type { CartHolder } from './carts.js'

/** The holder of the carts that a session names. */
export const cartHolder = (
  { id: sessionId, cartId, formerCartIds }: Readonly<SessionData>,
  { visitor, site }: Pick<CartHolder, 'visitor' | 'site'>,
): CartHolder => ({ sessionId, cartId, formerCartIds, visitor, site })

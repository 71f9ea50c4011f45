import type { Session } from '../../core/http/session.js'

/** Call it at login: the new id makes the guest's tokens invalid, and the return URL is used up. */
export function renewAtLogin(session: Session): void {
  session.renew()
  session.change({ returnUrl: undefined })
}

/** Call it at logout: the account keeps its carts, and the next person at this browser starts without one. */
export function renewAtLogout(session: Session): void {
  session.renew()
  session.change({
    cartId: undefined,
    formerCartIds: undefined,
    returnUrl: undefined,
    exchangeId: undefined,
  })
}

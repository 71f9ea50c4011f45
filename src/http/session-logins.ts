import type { Session } from './session.js'

/** At login: what was signed for the guest's session, or waited for a login, is over. */
export function renewAtLogin(session: Session): void {
  session.renew()
  session.change({ returnUrl: undefined })
}

/** At logout: the account keeps its cart; whoever sits at this browser next has none. */
export function renewAtLogout(session: Session): void {
  session.renew()
  session.change({ cartId: undefined, formerCartIds: undefined, returnUrl: undefined })
}

import type { Addressed } from '../http/public-origin.js'
import type { Visitor } from './visitor.js'

/** A login that was let in. */
export interface Login {
  visitor: Visitor
  /** `Set-Cookie` of the login. */
  cookie: string
}

/** The accounts of the shop's customers. */
export interface Users {
  /**
   * Undefined when the account does not let them in, whatever the reason: who asks must not learn
   * which accounts there are.
   */
  logIn(attempt: { name: string; password: string }, headers: Headers): Promise<Login | undefined>
  /** Ends the login that the request holds, if any, and gives the `Set-Cookie` that forgets it. */
  logOut(request: Addressed): Promise<{ cookie: string; wasLoggedIn: boolean }>
}

import { addNotice } from '../../http/flash-notice.js'
import { prefersJson } from '../../http/prefers-json.js'
import type { Users } from '../../store/users.js'
import { formReply, type FormVisit } from '../form-action.js'
import { withCookie } from './login-action.js'

/** Logs a customer out. Of somebody who is not logged in, only the login's cookie goes. */
export const createLogout =
  ({ users }: { users: Users }) =>
  async (form: FormVisit): Promise<Response> => {
    const { session, request } = form
    const { cookie, wasLoggedIn } = await users.logOut(request.headers)
    if (wasLoggedIn) {
      session.renew()
      // The account keeps its cart; whoever sits at this browser next has none.
      session.change({ cartId: undefined, formerCartIds: undefined, returnUrl: undefined })
      if (!prefersJson(request.headers)) addNotice(session, 'You are logged out.')
    }
    return withCookie(formReply(form, { ajax: { user: null } }), cookie)
  }

import { addNotice } from '../http/session.js'
import { prefersJson } from '../http/request-headers.js'
import { publicUrl } from '../http/public-origin.js'
import type { Reply } from '../http/reply.js'
import type { SiteParts } from '../sites/parts.js'
import type { Users } from './users.js'
import { formReply } from '../http/form-action.js'
import type { FormVisit } from '../http/visit.js'
import { withCookie } from './login-action.js'
import { renewAtLogout } from './renew-session.js'

/** Logs a customer out. For a visitor who is not logged in, it only removes the login's cookie. */
export const createLogout =
  ({ sites, texts }: SiteParts, users: Users) =>
  async (form: FormVisit): Promise<Reply> => {
    const { session, request } = form
    const { cookie, wasLoggedIn } = await users.logOut(request)
    if (wasLoggedIn) {
      renewAtLogout(session)
      const site = await sites.at(publicUrl(request))
      const { loggedOut } = await texts(site, request.headers)
      if (!prefersJson(request.headers)) addNotice(session, loggedOut)
    }
    return withCookie(formReply(form, { ajax: { user: null } }), cookie)
  }

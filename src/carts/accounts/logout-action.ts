import { addNotice } from '../../core/http/session.js'
import { prefersJson } from '../../core/http/request-headers.js'
import { publicUrl } from '../../core/http/public-origin.js'
import type { Reply } from '../../core/http/reply.js'
import type { SiteParts } from '../../shop/sites/parts.js'
import type { Users } from './users.js'
import { formReply } from '../../core/http/form-action.js'
import type { FormVisit } from '../../core/http/visit.js'
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

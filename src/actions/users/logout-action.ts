import { addNotice } from '../../http/flash-notice.js'
import { prefersJson } from '../../http/prefers-json.js'
import { publicUrl } from '../../http/public-origin.js'
import type { Reply } from '../../http/reply.js'
import { renewAtLogout } from '../../http/session-logins.js'
import type { ReadPageTexts } from '../../store/page-texts.js'
import type { Sites } from '../../store/sites.js'
import type { Users } from '../../store/users.js'
import { formReply } from '../form-action.js'
import type { FormVisit } from '../visit.js'
import { withCookie } from './login-action.js'

export interface LogoutParts {
  users: Users
  sites: Pick<Sites, 'at'>
  texts: ReadPageTexts
}

/** Logs a customer out. Of somebody who is not logged in, only the login's cookie goes. */
export const createLogout =
  ({ users, sites, texts }: LogoutParts) =>
  async (form: FormVisit): Promise<Reply> => {
    const { session, request } = form
    const { cookie, wasLoggedIn } = await users.logOut(request)
    if (wasLoggedIn) {
      renewAtLogout(session)
      const site = await sites.at(publicUrl(request))
      const { loggedOut } = texts(site?.language ?? '')
      if (!prefersJson(request.headers)) addNotice(session, loggedOut)
    }
    return withCookie(formReply(form, { ajax: { user: null } }), cookie)
  }

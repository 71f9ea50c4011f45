import { Problem } from '../../core/errors.js'
import { addNotice } from '../../core/http/session.js'
import type { HttpParts } from '../../core/http/parts.js'
import { renewAtLogin, renewAtLogout } from './with-sessions.js'
import { countTry, createLoginThrottle } from '../../core/http/login-throttle.js'
import { looseTextParameter } from '../../core/http/parameters.js'
import { prefersJson } from '../../core/http/request-headers.js'
import { publicUrl } from '../../core/http/public-origin.js'
import type { Reply } from '../../core/http/reply.js'
import { cartHolder } from '../find-cart.js'
import type { CartParts } from '../parts.js'
import type { Shop } from '../../core/shop.js'
import type { SiteParts } from '../../shop/sites/parts.js'
import type { Users } from './users.js'
import { formReply } from '../../core/http/form-action.js'
import type { FormVisit } from '../../core/http/visit.js'

/**
 * Logs a customer in, by `email` (or `loginName`) and `password`. Every refusal has the same sentence, so
 * that nobody learns from it who has an account.
 */
export function createLogin(
  { log, effects }: Shop,
  { counts, carts, sites, texts }: HttpParts & SiteParts & CartParts,
  users: Users,
) {
  const throttle = createLoginThrottle('customers', { counts, log, now: effects.now })
  return async (form: FormVisit): Promise<Reply> => {
    const { tree, session, request, clientIp } = form
    const name = looseTextParameter(tree, 'loginName') ?? looseTextParameter(tree, 'email') ?? ''
    const password = looseTextParameter(tree, 'password') ?? ''
    // Spelled as Payload spells names, so that each account has one count.
    const tried = { clientIp, account: name.trim().toLowerCase() }
    await countTry(tried, throttle)
    const login = await users.logIn({ name, password }, request.headers)
    const site = await sites.at(publicUrl(request))
    const { loggedIn, loginRefused } = await texts(site, request.headers)
    if (login === undefined) return refuse(form, loginRefused)

    await throttle.succeeded(tried)
    const { visitor, cookie } = login
    await carts?.adopt(cartHolder(session.data, { visitor, site }))
    const returnUrl = session.data.returnUrl
    renewAtLogin(session)
    if (!prefersJson(request.headers)) addNotice(session, loggedIn)

    const redirect = form.redirect ?? returnUrl
    const user = { id: visitor.id, email: visitor.document.email ?? null }
    const reply = formReply({ ...form, redirect }, { ajax: { user, redirect: redirect ?? null } })
    return withCookie(reply, cookie)
  }
}

/** Sends the visitor back to the form, whatever redirect the form asks for. */
function refuse(form: FormVisit, refusal: string): Reply {
  if (prefersJson(form.request.headers)) {
    throw new Problem('ACCESS_DENIED', { message: refusal, log: { clientIp: form.clientIp } })
  }
  addNotice(form.session, refusal, 'error')
  return formReply({ ...form, redirect: undefined }, { ajax: undefined })
}

/** The reply with one more cookie. */
export function withCookie(reply: Reply, cookie: string): Reply {
  const headers = new Headers(reply.headers)
  headers.append('set-cookie', cookie)
  return { ...reply, headers }
}

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

import { Problem } from '../../errors.js'
import { addNotice } from '../../http/flash-notice.js'
import type { LoginThrottle, LoginTry } from '../../http/login-throttle.js'
import { looseTextParameter } from '../../http/parameters.js'
import { prefersJson } from '../../http/prefers-json.js'
import { publicUrl } from '../../http/public-origin.js'
import type { Reply } from '../../http/reply.js'
import { renewAtLogin } from '../../http/session-logins.js'
import { cartHolder } from '../../store/cart-holder.js'
import type { Carts } from '../../store/carts.js'
import type { ReadPageTexts } from '../../store/page-texts.js'
import type { Sites } from '../../store/sites.js'
import type { Users } from '../../store/users.js'
import { formReply } from '../form-action.js'
import type { FormVisit } from '../visit.js'

export interface LoginParts {
  users: Users
  /** Undefined in a store without carts. */
  carts: Carts | undefined
  sites: Sites
  throttle: LoginThrottle
  texts: ReadPageTexts
}

/**
 * Logs a customer in: `email` (or `loginName`) and `password`. Whatever is wrong, the visitor reads
 * the same sentence, as it would tell who has an account.
 */
export const createLogin =
  ({ users, carts, sites, throttle, texts }: LoginParts) =>
  async (form: FormVisit): Promise<Reply> => {
    const { tree, session, request, clientIp } = form
    const name = looseTextParameter(tree, 'loginName') ?? looseTextParameter(tree, 'email') ?? ''
    const password = looseTextParameter(tree, 'password') ?? ''
    // As Payload reads names, so that each account has one count.
    const tried = { clientIp, account: name.trim().toLowerCase() }
    await checkTries(throttle, tried)
    const login = await users.logIn({ name, password }, request.headers)
    const site = await sites.at(publicUrl(request))
    const { loggedIn, loginRefused } = texts(site?.language ?? '')
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

async function checkTries(throttle: LoginThrottle, tried: LoginTry): Promise<void> {
  const seconds = await throttle.try(tried)
  if (seconds === 0) return
  throw new Problem('TOO_MANY_FAILED_LOGINS', {
    headers: { 'retry-after': String(seconds) },
    log: { clientIp: tried.clientIp },
  })
}

/** Back to the form, wherever it wants the visitor sent afterwards. */
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
  headers.set('cache-control', 'no-store')
  return { ...reply, headers }
}

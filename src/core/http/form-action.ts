import { Problem } from '../errors.js'
import { csrfHeader, csrfParameter, type CsrfTokens, type VerifiedToken } from './csrf.js'
import { looseTextParameter, type ParameterTree, textParameter } from './parameters.js'
import { actionBase, parseUrl, isFromOwnSite, type IsOwnOrigin } from './public-origin.js'
import { prefersJson } from './request-headers.js'
import { jsonReply, seeOther, type Reply } from './reply.js'
import { requireMethod, type ActionRequest } from './request-body.js'
import { redirectParameter, type SignedRedirects } from './redirect-target.js'
import type { Action, FormVisit, Visit } from './visit.js'
import { namesOwnAction } from './define-action.js'

/** What a post is checked by, before its action runs. */
export interface FormChecks {
  csrf: CsrfTokens
  redirects: SignedRedirects
  isOwnOrigin: IsOwnOrigin
  /** Payload's own API route. The actions are also reachable below it. */
  apiRoute: string
}

/** `act` runs only after the method, the origin, the parameters, the CSRF token and the redirect passed. */
export function formAction(checks: FormChecks, act: (form: FormVisit) => Promise<Reply>): Action {
  return async (visit) => act(await (visit.form ??= checkForm(visit, checks)))
}

async function checkForm(visit: Visit, checks: FormChecks): Promise<FormVisit> {
  const { request } = visit
  requireMethod(request, ['POST'])
  if (!isFromOwnSite(request, checks.isOwnOrigin)) throw new Problem('ORIGIN_FOREIGN')

  const session = await visit.session()
  const header = request.headers.get(csrfHeader)
  const verify = (text: string | undefined): VerifiedToken => {
    const token = text === undefined ? undefined : checks.csrf.verify(text, session.data.id)
    if (token === undefined) throw new Problem('CSRF_INVALID')
    return token
  }
  // A token in the header is checked before the body is read, and one in the body before it is nested.
  const sent = header === null ? undefined : verify(header)
  const token = sent ?? verify(await visit.flatParameter(csrfParameter))
  const { tree } = await visit.parameters()

  const redirect = readRedirect(tree, checks.redirects)
  return { ...visit, visit, tree, session, redirect, token, back: () => wayBack(request, checks) }
}

function readRedirect(tree: ParameterTree, redirects: SignedRedirects): string | undefined {
  if (!Object.hasOwn(tree, redirectParameter)) return undefined
  const redirect = redirects.read(looseTextParameter(tree, redirectParameter) ?? '')
  if (redirect === undefined) throw new Problem('REDIRECT_INVALID')
  return redirect
}

/** The page with the form, when it is one of ours; else the site's base URL. */
function wayBack(request: ActionRequest, { isOwnOrigin, apiRoute }: FormChecks): string {
  const referrer = parseUrl(request.headers.get('referer') ?? '')
  if (referrer === undefined) return siteBase(request, apiRoute)
  const { protocol, origin, pathname, search } = referrer
  // A `blob:` URL has the origin of the page that made it, but no path that can be opened.
  const isOwnPage = /^https?:$/.test(protocol) && isOwnOrigin(origin, request)
  return isOwnPage ? origin + pathname + search : siteBase(request, apiRoute)
}

/** The site's base URL as a path, as only the visitor's browser knows its origin for certain. */
function siteBase(request: ActionRequest, apiRoute: string): string {
  const base = actionBase(request)
  return `${base.endsWith(apiRoute) ? base.slice(0, base.length - apiRoute.length) : base}/`
}

/** Answers a form with JSON or a redirect (`docs/interface.md` (Form posts)). */
export function formReply(form: FormVisit, { ajax }: { ajax: unknown }): Reply {
  if (prefersJson(form.request.headers)) return jsonReply(ajax)
  return seeOther(form.redirect ?? form.back())
}

export type Forwards = ReturnType<typeof createForwards>

/**
 * Finds the action that a post is forwarded to, by its exact name. These actions never forward, so a post
 * is forwarded at most once.
 *
 * @throws {TypeError} when `actions` has one of Storeconnect's own groups.
 */
export function createForwards({ actions }: { actions: Readonly<Record<string, Action>> }) {
  const own = Object.keys(actions).find(namesOwnAction)
  if (own !== undefined) throw new TypeError(`No post can be forwarded to "${own}".`)
  return {
    /**
     * The action that the parameters name; undefined when they name none. Find it before anything is
     * done, and call it afterwards with the same visit, as it reads the same parameters.
     *
     * @throws {Problem} FORWARD_NOT_ALLOWED or FORWARD_NOT_FOUND.
     */
    find(tree: ParameterTree): Action | undefined {
      const path = textParameter(tree, 'forward')
      if (path === undefined) return undefined
      if (namesOwnAction(path)) throw new Problem('FORWARD_NOT_ALLOWED')
      const name = path.replace(/\/$/, '')
      const action = Object.hasOwn(actions, name) ? actions[name] : undefined
      if (action === undefined) throw new Problem('FORWARD_NOT_FOUND')
      return action
    },
  }
}

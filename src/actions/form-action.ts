import { Problem } from '../errors.js'
import { csrfHeader, csrfParameter, type CsrfTokens, type VerifiedToken } from '../http/csrf.js'
import { looseTextParameter, type ParameterTree } from '../http/parameters.js'
import { prefersJson } from '../http/prefers-json.js'
import { jsonReply, seeOther, type Reply } from '../http/reply.js'
import type { ActionRequest } from '../http/request-body.js'
import { isFromOwnSite, type IsOwnOrigin } from '../http/same-site.js'
import { redirectParameter, type SignedRedirects } from '../http/signed-redirect.js'
import type { Action, FormVisit, Visit } from './visit.js'

/** What every form action is built with. */
export interface FormParts {
  csrf: CsrfTokens
  redirects: SignedRedirects
  isOwnOrigin: IsOwnOrigin
  /** Payload's own API route, below which the actions answer too. Default `/api`. */
  apiRoute?: string
}

/**
 * An action that forms post to. Nothing is done before all of this is right: the method, the
 * origin, the parameters, the CSRF token, the redirect.
 */
export function formAction(parts: FormParts, act: (form: FormVisit) => Promise<Reply>): Action {
  return async (visit) => act(await (visit.form ??= checkForm(visit, parts)))
}

async function checkForm(visit: Visit, parts: FormParts): Promise<FormVisit> {
  const { request } = visit
  if (request.method !== 'POST')
    throw new Problem('METHOD_NOT_ALLOWED', { headers: { allow: 'POST' } })
  if (!isFromOwnSite(request, parts.isOwnOrigin)) throw new Problem('ORIGIN_FOREIGN')

  const session = await visit.session()
  const header = request.headers.get(csrfHeader)
  const verify = (text: string | undefined): VerifiedToken => {
    const token = text === undefined ? undefined : parts.csrf.verify(text, session.data.id)
    if (token === undefined) throw new Problem('CSRF_INVALID')
    return token
  }
  // A token in the header is checked before the body is read, any other before it is nested.
  const sent = header === null ? undefined : verify(header)
  const token = sent ?? verify(await visit.flatParameter(csrfParameter))
  const { tree } = await visit.parameters()

  const redirect = readRedirect(tree, parts.redirects)
  return { ...visit, visit, tree, session, redirect, token, back: () => wayBack(request, parts) }
}

function readRedirect(tree: ParameterTree, redirects: SignedRedirects): string | undefined {
  if (!Object.hasOwn(tree, redirectParameter)) return undefined
  const redirect = redirects.read(looseTextParameter(tree, redirectParameter) ?? '')
  if (redirect === undefined) throw new Problem('REDIRECT_INVALID')
  return redirect
}

/** The page that posted, when it is one of ours; else the site's base URL. */
function wayBack(request: ActionRequest, { isOwnOrigin, apiRoute = '/api' }: FormParts): string {
  const referrer = request.headers.get('referer') ?? ''
  if (!URL.canParse(referrer)) return basePath(request.url, apiRoute)
  const { protocol, origin, pathname, search } = new URL(referrer)
  // A `blob:` URL has the origin of the page that made it, and no path on it.
  const isOwnPage = /^https?:$/.test(protocol) && isOwnOrigin(origin, request)
  return isOwnPage ? origin + pathname + search : basePath(request.url, apiRoute)
}

/**
 * What all actions hang off (`decisions.md`, Front door). A path, as only the visitor's browser
 * knows for certain on which origin it is.
 */
function basePath(url: string, apiRoute: string): string {
  const { pathname } = new URL(url)
  const path = pathname.slice(0, pathname.indexOf('/actions/'))
  // Two slashes in front would be another host.
  const base = path.replace(/^\/+/, '/').replace(/^\/$/, '')
  const isBelowApi = base.endsWith(apiRoute)
  return `${isBelowApi ? base.slice(0, base.length - apiRoute.length) : base}/`
}

/**
 * Answers a form: JSON for Ajax, else on to where the form says or back to the page it was on
 * (`interface.md`, Response parameters; `decisions.md`, Marketing).
 */
export function formReply(form: FormVisit, { ajax }: { ajax: unknown }): Reply {
  if (prefersJson(form.request.headers)) return jsonReply(ajax)
  return seeOther(form.redirect ?? form.back())
}

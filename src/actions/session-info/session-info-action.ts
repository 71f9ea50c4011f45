import { Problem } from '../../errors.js'
import { takeNotices } from '../../http/flash-notice.js'
import {
  csrfParameter,
  guardLimitSeconds,
  type CsrfTokens,
  type FormGuard,
} from '../../http/csrf.js'
import { textParameter, type ParameterTree } from '../../http/parameters.js'
import { jsonReply } from '../../http/reply.js'
import { redirectParameter, type SignedRedirects } from '../../http/signed-redirect.js'
import type { Action, Visit } from '../visit.js'
import type { SessionCart } from './session-cart.js'

/** Parameter that asks for a token with a form guard: the seconds that filling in takes at least. */
export const guardParameter = 'guard'

/** Parameter that asks for what the pieces of a layout show: the notices and the cart. */
export const layoutParameter = 'layout'

/**
 * What a static page cannot know when it is built: who looks at it, and a CSRF token of their own.
 * Nothing here lets a page of another origin read the answer.
 */
export function createSessionInfo({
  csrf,
  redirects,
  cart = () => Promise.resolve({}),
  now = () => new Date(),
}: {
  csrf: CsrfTokens
  redirects: SignedRedirects
  /** The cart that the visitor's browser is to show. Default: a store without carts. */
  cart?: (visit: Visit) => Promise<SessionCart>
  now?: () => Date
}): Action {
  return async (visit) => {
    const { method } = visit.request
    if (method !== 'GET' && method !== 'HEAD') {
      throw new Problem('METHOD_NOT_ALLOWED', { headers: { allow: 'GET, HEAD' } })
    }
    const { tree } = await visit.parameters()
    const guard = readGuard(tree)
    const isForLayout = method === 'GET' && textParameter(tree, layoutParameter) !== undefined
    const session = await visit.session()
    session.keep()
    const visitor = await visit.visitor()
    const { returnUrl } = session.data
    return jsonReply({
      isGuest: visitor === undefined,
      csrfTokenName: csrfParameter,
      csrfTokenValue: csrf.issue(session.data.id, { now: now(), ...(guard && { guard }) }),
      ...(visitor && { id: visitor.id, email: visitor.document.email }),
      // For a login form that posts `redirect` itself, which must be signed.
      ...(returnUrl !== undefined && { returnUrl, [redirectParameter]: redirects.sign(returnUrl) }),
      ...(isForLayout && { notices: takeNotices(session), ...(await cart(visit)) }),
    })
  }
}

function readGuard(tree: ParameterTree): FormGuard | undefined {
  const text = textParameter(tree, guardParameter)
  if (text === undefined) return undefined
  const minimumSeconds = /^\d{1,4}$/.test(text) ? Number(text) : NaN
  if (!(minimumSeconds <= guardLimitSeconds)) {
    throw new Problem('PARAMETER_INVALID', {
      message: `The parameter "${guardParameter}" must be whole seconds from 0 to ${guardLimitSeconds}.`,
    })
  }
  return { minimumSeconds }
}

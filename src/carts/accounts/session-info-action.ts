import { Problem } from '../../core/errors.js'
import { takeNotices } from '../../core/http/session.js'
import { csrfParameter, guardLimitSeconds, type FormGuard } from '../../core/http/csrf.js'
import type { HttpParts } from '../../core/http/parts.js'
import { textParameter, type ParameterTree } from '../../core/http/parameters.js'
import { jsonReply } from '../../core/http/reply.js'
import { requireMethod } from '../../core/http/request-body.js'
import { redirectParameter } from '../../core/http/redirect-target.js'
import type { Action } from '../../core/http/visit.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { BrowserCart, Carts } from '../carts.js'
import { cartHolder, type CartHolder } from '../find-cart.js'
import { publicUrl } from '../../core/http/public-origin.js'
import type { CartParts } from '../parts.js'
import type { OrderParts } from '../../shop/orders/parts.js'
import type { SiteParts } from '../../shop/sites/parts.js'

/** What the visitor's browser learns about the cart; empty when the visitor never had one. */
export interface SessionCart {
  cart?: BrowserCart
  /** The session's cart when it no longer is the visitor's, for example because it was paid. */
  gone?: DocumentId
}

/** The cart that the browser is to show. */
export async function sessionCart(
  carts: Pick<Carts, 'findForBrowser'>,
  holder: CartHolder,
): Promise<SessionCart> {
  const cart = await carts.findForBrowser(holder)
  if (cart !== undefined) return { cart }
  return holder.cartId === undefined ? {} : { gone: holder.cartId }
}

/** The parameter that asks for a token with a form guard. Its value is the guard's minimum of seconds. */
const guardParameter = 'guard'

/** The parameter that asks for what a layout shows: the notices and the cart. */
const layoutParameter = 'layout'

/**
 * Answers with what a static page cannot know when it is built: the visitor, and a CSRF token for the
 * visitor's session. The reply sets no CORS headers, so that pages of other origins cannot read it.
 */
export function createSessionInfo({
  forms: { csrf, redirects },
  carts,
  sites,
  isAdminAccount,
}: HttpParts & SiteParts & OrderParts & CartParts): Action {
  return async (visit) => {
    requireMethod(visit.request, ['GET', 'HEAD'])
    const { tree } = await visit.parameters()
    const guard = readGuard(tree)
    const isForLayout =
      visit.request.method === 'GET' && textParameter(tree, layoutParameter) !== undefined
    const session = await visit.session()
    session.keep()
    const visitor = await visit.visitor()
    const isAdmin =
      visitor !== undefined && (await isAdminAccount({ ...visitor.document, ...visitor }))
    const { returnUrl } = session.data
    const cart = async () => {
      if (carts === undefined) return {}
      const site = await sites.at(publicUrl(visit.request))
      return sessionCart(carts, cartHolder(session.data, { visitor, site }))
    }
    return jsonReply({
      isGuest: visitor === undefined,
      csrfTokenName: csrfParameter,
      csrfTokenValue: csrf.issue(session.data.id, guard),
      ...(visitor && { id: visitor.id, email: visitor.document.email }),
      ...(isAdmin && { isAdmin }),
      // A login form may post the redirect itself, and then it must be signed.
      ...(returnUrl !== undefined && { returnUrl, [redirectParameter]: redirects.sign(returnUrl) }),
      ...(isForLayout && { notices: takeNotices(session), ...(await cart()) }),
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

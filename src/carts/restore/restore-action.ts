import { cartQuantity, withCart } from '../cart.js'
import type { DocumentId } from '../../database/document-id.js'
import type { Site } from '../../sites/site.js'
import { Problem } from '../../errors.js'
import { csrfParameter, type CsrfTokens } from '../../http/csrf.js'
import { isFetchedAhead } from '../../http/request-headers.js'
import { addNotice, type Session } from '../../http/session.js'
import { actionBase, publicOrigin, publicUrl } from '../../http/public-origin.js'
import {
  readRedirectTarget,
  redirectTarget,
  redirectParameter,
  type SignedRedirects,
} from '../../http/redirect-target.js'
import { found } from '../../http/reply.js'
import { requireMethod } from '../../http/request-body.js'
import { restoreUrl, type RestoreLinks } from '../restore-link.js'
import { siteUrl } from '../../sites/site-url.js'
import type { RestoreOptions } from '../restore-options.js'
import type { Carts } from '../carts.js'
import type { AbandonedCart, AbandonedCarts } from './abandoned-carts.js'
import type { Log } from '../../database/log.js'
import type { PageTexts, ReadPageTexts } from '../../translations/page-texts.js'
import type { Sites } from '../../sites/sites.js'
import type { Visitor, Visit } from '../../http/visit.js'
import { decideByPlace } from './decide-by-place.js'
import { restorePageReply, withPage } from './restore-page.js'
import {
  ownLink,
  queryOf,
  readRestoreRequest,
  returnUrlOf,
  withCampaign,
  type RestoreRequest,
} from './restore-request.js'
import { parseUrl } from '../../http/parse-url.js'

export interface RestoreParts {
  abandonedCarts: AbandonedCarts
  carts: Pick<Carts, 'find' | 'isOfAnotherCommerceStore'>
  sites: Pick<Sites, 'at' | 'find'>
  links: RestoreLinks
  texts: ReadPageTexts
  csrf: CsrfTokens
  redirects: SignedRedirects
  options: RestoreOptions
  /** The store's login page: a path below the site's base URL, or a URL. */
  loginPath: string
  log: Log
}

/** A visitor whose link passed rules 1 to 5. */
interface Arrival {
  visit: Visit
  asked: RestoreRequest
  site: Site | undefined
  texts: PageTexts
  cart: AbandonedCart
  cartUrl: string
  visitor: Visitor | undefined
}

/**
 * Puts the cart of the link back into the visitor's session (`docs/interface.md` (Cart restore)). Mail
 * scanners open links too, some with HEAD. So many GETs have the same result as one, and neither HEAD nor a
 * prefetch changes anything.
 *
 * @throws {TypeError} when `loginPath` cannot be used in a link.
 */
export function createRestore(parts: RestoreParts): (visit: Visit) => Promise<Response> {
  if (readRedirectTarget(parts.loginPath) === undefined) {
    throw new TypeError('storeConnect(): loginPath must be a path or an http(s) URL.')
  }
  return async (visit) => {
    requireMethod(visit.request, ['GET', 'HEAD'])
    try {
      return await answer(parts, visit)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const site = await parts.sites.at(publicUrl(visit.request))
      throw withPage(error, site, parts.texts(site, visit.request.headers))
    }
  }
}

async function answer(parts: RestoreParts, visit: Visit): Promise<Response> {
  const asked = readRestoreRequest((await visit.parameters()).tree)
  checkLink(parts.links, asked)

  const cart = await findCart(parts, asked)
  const site = await parts.sites.at(publicUrl(visit.request))
  const siteId = cart === 'completed' ? undefined : cart?.siteId
  const cartSite = await parts.sites.find(siteId)
  const place = decideByPlace({ cart, current: site, cartSite, hasMoved: asked.hasMoved })
  if (place.do === 'refuse') throw new Problem(place.code)
  if (place.do === 'move') return moveTo(place.site, asked)

  const visitor = await visit.visitor()
  const texts = parts.texts(site, visit.request.headers)
  return answerVisitor(parts, { ...place, visit, asked, site, texts, visitor })
}

/** Rules 6 to 8: the answer depends on whose the cart is. */
async function answerVisitor(parts: RestoreParts, arrival: Arrival): Promise<Response> {
  const { abandonedCarts } = parts
  const { cart, visitor } = arrival
  if (cart.customerId === undefined) return restore(parts, arrival)
  if (visitor === undefined) {
    const isOfAccount = await abandonedCarts.isAbleToLogIn(cart.customerId)
    return isOfAccount ? askToLogIn(parts, arrival) : restore(parts, arrival)
  }
  const isOwn = abandonedCarts.isCustomer(visitor, cart.customerId)
  return isOwn ? restore(parts, arrival) : askToLogOut(parts, arrival)
}

function checkLink(links: RestoreLinks, { link }: RestoreRequest): void {
  const state = links.check(link)
  // A forged link must not show whether there is such a cart.
  if (state === 'forged') throw new Problem('CART_NOT_FOUND')
  if (state === 'expired') throw new Problem('LINK_EXPIRED')
}

/** A text that cannot be a number costs no query. */
const findCart = async ({ abandonedCarts }: RestoreParts, { link }: RestoreRequest) =>
  /^[\da-f]{32}$/.test(link.number) ? abandonedCarts.find(link.number) : undefined

function moveTo(site: Site, asked: RestoreRequest): Response {
  const url = restoreUrl(site.baseUrl, queryOf({ ...asked, hasMoved: true }))
  // Never happens: `decideByPlace` moves nobody to a site whose base URL is invalid.
  if (url === undefined) throw new Problem('CART_URL_MISSING')
  return found(url)
}

/** Rule 6: the cart belongs to another account than the visitor's. */
async function askToLogOut(parts: RestoreParts, arrival: Arrival): Promise<Response> {
  const { visit, asked, site, texts, cartUrl } = arrival
  const session = await visit.session()
  // The token of the form is valid only with the session's cookie.
  if (changes(visit)) session.keep()
  const fields = [
    { name: csrfParameter, value: parts.csrf.issue(session.data.id) },
    { name: redirectParameter, value: parts.redirects.sign(ownLink(visit.request, asked)) },
  ]
  const action = `${actionBase(visit.request)}/actions/users/logout`
  return restorePageReply(
    { site, language: texts.language, ...texts.logOut, form: { method: 'post', action, fields } },
    { render: parts.options.pages?.logOut, formTargets: [new URL(cartUrl).origin], texts },
  )
}

/** Rule 7: the cart belongs to an account, and the visitor is logged out. */
async function askToLogIn(parts: RestoreParts, arrival: Arrival): Promise<Response> {
  const { visit, asked, site, texts } = arrival
  const session = await visit.session()
  const returnUrl = returnUrlOf(visit.request, asked)
  if (changes(visit)) session.change({ returnUrl })
  const base = site?.baseUrl ?? publicOrigin(visit.request)
  const action = siteUrl(base, parts.loginPath) ?? redirectTarget(parts.loginPath)
  const target = parseUrl(action)
  return restorePageReply(
    { site, language: texts.language, ...texts.logIn, form: { method: 'get', action, fields: [] } },
    {
      render: parts.options.pages?.logIn,
      formTargets: target ? [target.origin] : [],
      texts,
    },
  )
}

/** Rule 8: the visitor may have the cart. */
async function restore(parts: RestoreParts, arrival: Arrival): Promise<Response> {
  const { visit, asked, cartUrl } = arrival
  if (changes(visit)) await putBack(parts, arrival)
  return found(withCampaign(cartUrl, asked))
}

async function putBack(parts: RestoreParts, arrival: Arrival): Promise<void> {
  const { visit, site, texts, cart, visitor } = arrival
  const session = await visit.session()
  // Payload's `Critical-CH` makes a browser ask for the first page that it opens twice.
  const isRepeat = session.data.cartId === cart.id
  const former = await formerCart(parts, { ...arrival, session })
  await parts.abandonedCarts.handOver(cart, { sessionId: session.data.id, visitor, site })

  session.change(withCart(session.data, cart.id, former?.id))
  addNotice(session, texts.restored)
  if (former?.isOfThisStore) addNotice(session, texts.formerCartKept)
  // The number is not logged, as anyone who has it can open the cart.
  if (!isRepeat) parts.log.info({ requestId: visit.requestId, cartId: cart.id }, 'Cart restored')
  await writeCoupon(parts, arrival)
}

/**
 * The visitor's cart before the restore; undefined when there is none, it is the same or it is empty. A
 * cart of another commerce store is kept until the visitor is back in that store.
 */
async function formerCart(
  { carts }: RestoreParts,
  { cart, site, visitor, session }: Arrival & { session: Session },
): Promise<{ id: DocumentId; isOfThisStore: boolean } | undefined> {
  const { id: sessionId, cartId } = session.data
  const hasNone = cartId === undefined && visitor === undefined
  if (hasNone || cartId === cart.id) return undefined
  if (cartId !== undefined && (await carts.isOfAnotherCommerceStore({ cartId, site }))) {
    return { id: cartId, isOfThisStore: false }
  }
  const former = await carts.find({ sessionId, cartId, visitor, site })
  if (former === undefined || former.id === cart.id) return undefined
  return cartQuantity(former) > 0 ? { id: former.id, isOfThisStore: true } : undefined
}

async function writeCoupon(
  { abandonedCarts, options, log }: RestoreParts,
  { visit, asked: { link }, cart }: Arrival,
): Promise<void> {
  const code = link.coupon
  if (code === undefined || options.acceptCoupon === undefined) return
  try {
    if (await options.acceptCoupon({ code, number: cart.number })) {
      await abandonedCarts.addCoupon(cart, code)
    }
  } catch (error) {
    // When the store's own code fails, the cart is still restored without its discount.
    log.error({ requestId: visit.requestId, cartId: cart.id, err: error }, 'Coupon not written')
  }
}

const changes = ({ request }: Visit) => request.method === 'GET' && !isFetchedAhead(request.headers)

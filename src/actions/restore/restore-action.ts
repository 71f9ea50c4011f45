import { cartQuantity } from '../../commerce/cart.js'
import type { DocumentId } from '../../commerce/order.js'
import type { Site } from '../../commerce/site.js'
import { Problem } from '../../errors.js'
import { csrfParameter, type CsrfTokens } from '../../http/csrf.js'
import { isFetchedAhead } from '../../http/fetched-ahead.js'
import { addNotice } from '../../http/flash-notice.js'
import { publicOrigin, publicUrl } from '../../http/public-origin.js'
import { redirectTarget } from '../../http/redirect-target.js'
import { found } from '../../http/reply.js'
import { restoreUrl, type RestoreLinks } from '../../http/restore-link.js'
import type { Session } from '../../http/session.js'
import { withCart } from '../../http/session-carts.js'
import { redirectParameter, type SignedRedirects } from '../../http/signed-redirect.js'
import { siteUrl } from '../../http/site-url.js'
import type { RestoreOptions } from '../../options/options.js'
import type { Carts } from '../../store/carts.js'
import type { LeftCart, LeftCarts } from '../../store/left-carts.js'
import type { Log } from '../../store/log.js'
import type { ReadPageTexts } from '../../store/page-texts.js'
import type { Sites } from '../../store/sites.js'
import type { Visitor } from '../../store/visitor.js'
import type { Visit } from '../visit.js'
import { ownBase, ownLink, returnUrlOf } from './own-link.js'
import { decideByPlace, decideByVisitor, type CartOwner } from './restore-decision.js'
import { restorePageReply } from './restore-page.js'
import { withPage } from './restore-refusal.js'
import {
  queryOf,
  readRestoreRequest,
  withCampaign,
  type RestoreRequest,
} from './restore-request.js'

export interface RestoreParts {
  leftCarts: LeftCarts
  carts: Pick<Carts, 'find' | 'isOfAnotherStore'>
  sites: Pick<Sites, 'at' | 'find'>
  links: RestoreLinks
  texts: ReadPageTexts
  csrf: CsrfTokens
  redirects: SignedRedirects
  options: RestoreOptions
  /** A path below the site's base URL, or a URL. */
  loginPath: string
  log: Log
  now: () => Date
}

/** A visitor with a link that passed the rules about its cart and the site. */
interface Arrival {
  visit: Visit
  asked: RestoreRequest
  site: Site | undefined
  cart: LeftCart
  cartUrl: string
  visitor: Visitor | undefined
}

/**
 * Puts the cart of the link back into the visitor's session (`interface.md`, Cart restore). Mail
 * scanners open links as well, some with HEAD: any number of GETs leave what one leaves, and HEAD
 * changes nothing, nor does what a browser fetches in advance.
 *
 * @throws {TypeError} when the login path is fit for no link.
 */
export function createRestore(parts: RestoreParts): (visit: Visit) => Promise<Response> {
  checkLoginPath(parts.loginPath)
  return async (visit) => {
    const { method } = visit.request
    if (method !== 'GET' && method !== 'HEAD') {
      throw new Problem('METHOD_NOT_ALLOWED', { headers: { allow: 'GET, HEAD' } })
    }
    try {
      return await answer(parts, visit)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const site = await parts.sites.at(publicUrl(visit.request))
      throw withPage(error, { site, texts: parts.texts })
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
  const arrival = { visit, asked, site, visitor, cart: place.cart, cartUrl: place.cartUrl }
  const answers = { askToLogOut, askToLogIn, restore }
  return answers[decideByVisitor(await ownerOf(parts, arrival))](parts, arrival)
}

function checkLoginPath(loginPath: string): void {
  try {
    redirectTarget(loginPath)
  } catch (cause) {
    throw new TypeError('storeConnect(): loginPath must be a path or an http(s) URL.', { cause })
  }
}

function checkLink(links: RestoreLinks, { link }: RestoreRequest): void {
  const state = links.check(link)
  // A forged link must not tell whether there is such a cart.
  if (state === 'forged') throw new Problem('CART_NOT_FOUND')
  if (state === 'expired') throw new Problem('LINK_EXPIRED')
}

/** A text that can be no number costs no query. */
const findCart = async ({ leftCarts }: RestoreParts, { link }: RestoreRequest) =>
  /^[\da-f]{32}$/.test(link.number) ? leftCarts.find(link.number) : undefined

function moveTo(site: Site, asked: RestoreRequest): Response {
  const url = restoreUrl(site.baseUrl, queryOf({ ...asked, hasMoved: true }))
  // Decided already: nobody is sent to a site whose base URL leads nowhere.
  if (url === undefined) throw new Problem('CART_URL_MISSING')
  return found(url)
}

async function ownerOf(
  { leftCarts }: RestoreParts,
  { cart: { customerId }, visitor }: Arrival,
): Promise<CartOwner> {
  if (customerId === undefined) return 'nobody'
  if (visitor !== undefined) return leftCarts.isCustomer(visitor, customerId) ? 'visitor' : 'other'
  return (await leftCarts.isAbleToLogIn(customerId)) ? 'account' : 'nobody'
}

/** Rule 6. */
async function askToLogOut(parts: RestoreParts, arrival: Arrival): Promise<Response> {
  const { visit, asked, site, cartUrl } = arrival
  const session = await visit.session()
  // Without it, the token of the form would be worth nothing.
  if (changes(visit)) session.keep()
  const texts = parts.texts(site?.language ?? '')
  const fields = [
    { name: csrfParameter, value: parts.csrf.issue(session.data.id, { now: parts.now() }) },
    { name: redirectParameter, value: parts.redirects.sign(ownLink(visit.request, asked)) },
  ]
  const action = `${ownBase(visit.request)}/actions/users/logout`
  return restorePageReply(
    { site, language: texts.language, ...texts.logOut, form: { method: 'post', action, fields } },
    { render: parts.options.pages?.logOut, formTargets: [new URL(cartUrl).origin] },
  )
}

/** Rule 7. */
async function askToLogIn(parts: RestoreParts, arrival: Arrival): Promise<Response> {
  const { visit, asked, site } = arrival
  const session = await visit.session()
  const returnUrl = returnUrlOf(visit.request, asked)
  if (changes(visit)) session.change({ returnUrl })
  const texts = parts.texts(site?.language ?? '')
  const base = site?.baseUrl ?? publicOrigin(visit.request)
  const action = siteUrl(base, parts.loginPath) ?? redirectTarget(parts.loginPath)
  return restorePageReply(
    { site, language: texts.language, ...texts.logIn, form: { method: 'get', action, fields: [] } },
    {
      render: parts.options.pages?.logIn,
      formTargets: URL.canParse(action) ? [new URL(action).origin] : [],
    },
  )
}

/** Rule 8. */
async function restore(parts: RestoreParts, arrival: Arrival): Promise<Response> {
  const { visit, asked, cartUrl } = arrival
  if (changes(visit)) await putBack(parts, arrival)
  return found(withCampaign(cartUrl, asked))
}

async function putBack(parts: RestoreParts, arrival: Arrival): Promise<void> {
  const { visit, site, cart, visitor } = arrival
  const session = await visit.session()
  const former = await formerCart(parts, { ...arrival, session })
  await parts.leftCarts.handOver(cart, { sessionId: session.data.id, visitor, site })

  const texts = parts.texts(site?.language ?? '')
  session.change(withCart(session.data, cart.id, former?.id))
  addNotice(session, texts.restored)
  if (former?.isOfThisStore) addNotice(session, texts.formerCartKept)
  // Never its number: who has it has the cart.
  parts.log.info({ requestId: visit.requestId, cartId: cart.id }, 'Cart restored')
  await writeCoupon(parts, arrival)
}

/**
 * The cart that the visitor has until now, when it is another one and holds something. One of another
 * commerce store waits until the visitor is back there.
 */
async function formerCart(
  { carts }: RestoreParts,
  { cart, site, visitor, session }: Arrival & { session: Session },
): Promise<{ id: DocumentId; isOfThisStore: boolean } | undefined> {
  const { id: sessionId, cartId } = session.data
  const hasNone = cartId === undefined && visitor === undefined
  if (hasNone || cartId === cart.id) return undefined
  if (cartId !== undefined && (await carts.isOfAnotherStore({ cartId, site }))) {
    return { id: cartId, isOfThisStore: false }
  }
  const former = await carts.find({ sessionId, cartId, visitor, site })
  if (former === undefined || former.id === cart.id) return undefined
  return cartQuantity(former) > 0 ? { id: former.id, isOfThisStore: true } : undefined
}

async function writeCoupon(
  { leftCarts, options, log }: RestoreParts,
  { visit, asked: { link }, cart }: Arrival,
): Promise<void> {
  const code = link.coupon
  if (code === undefined || options.acceptCoupon === undefined) return
  try {
    if (await options.acceptCoupon({ code, number: cart.number })) {
      await leftCarts.addCoupon(cart, code)
    }
  } catch (error) {
    // The store's own code may fail, and the cart is worth more than its discount.
    log.error({ requestId: visit.requestId, cartId: cart.id, err: error }, 'Coupon not written')
  }
}

const changes = ({ request }: Visit) => request.method === 'GET' && !isFetchedAhead(request.headers)

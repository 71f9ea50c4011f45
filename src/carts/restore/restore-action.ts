import { cartQuantity, withCart } from '../cart.js'
import { cartHolder } from '../find-cart.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { type Site, siteUrl } from '../../shop/sites/site.js'
import { Problem } from '../../core/errors.js'
import { csrfParameter } from '../../core/http/csrf.js'
import type { httpOptions } from '../../core/http/http-options.js'
import type { HttpParts } from '../../core/http/parts.js'
import { isFetchedAhead, isRouterFetch } from '../../core/http/request-headers.js'
import { addNotice, type Session } from '../../core/http/session.js'
import {
  actionBase,
  publicOrigin,
  publicUrl,
  parseUrl,
  type Addressed,
} from '../../core/http/public-origin.js'
import {
  readRedirectTarget,
  redirectTarget,
  redirectParameter,
} from '../../core/http/redirect-target.js'
import { found, secretLinkHeaders } from '../../core/http/reply.js'
import { requireMethod } from '../../core/http/request-body.js'
import { restoreUrl, type RestoreLinks } from '../restore-link.js'
import type { OptionsOf } from '../../core/options-schema.js'
import type { CartParts } from '../parts.js'
import type { restoreOptions } from '../restore-options.js'
import type { Shop } from '../../core/shop.js'
import type { SiteParts } from '../../shop/sites/parts.js'
import type { Carts } from '../carts.js'
import type { AbandonedCart, AbandonedCarts } from './abandoned-carts.js'
import type { PageTexts } from '../../core/translations/page-texts.js'
import type { Visitor, Visit } from '../../core/http/visit.js'
import {
  decideByPlace,
  ownLink,
  queryOf,
  readRestoreRequest,
  returnUrlOf,
  withCampaign,
  type RestoreRequest,
} from './restore-request.js'
import { restorePageReply, withPage } from './restore-page.js'

/** The shop with its carts, and what it has of the features below. */
type RestoreShop = Shop<
  OptionsOf<typeof restoreOptions> & Pick<OptionsOf<typeof httpOptions>, 'pageColors'>
> &
  HttpParts &
  SiteParts &
  CartParts & { carts: Carts; abandonedCarts: AbandonedCarts }

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
 * Puts the cart of the link back into the visitor's session (`docs/interface.md` (Cart restore)). Mail scanners open
 * links too: many GETs have the same result as one, and neither HEAD nor a prefetch changes anything.
 *
 * @throws {TypeError} when `loginPath` or `cartPath` cannot be used in a link.
 */
export function createRestore(shop: RestoreShop): (visit: Visit) => Promise<Response> {
  for (const name of ['loginPath', 'cartPath'] as const) {
    if (readRedirectTarget(shop.options[name]) === undefined) {
      throw new TypeError(`storeConnect(): ${name} must be a path or an http(s) URL.`)
    }
  }
  return async (visit) => {
    requireMethod(visit.request, ['GET', 'HEAD'])
    try {
      return await answer(shop, visit)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const site = await shop.sites.at(publicUrl(visit.request))
      throw withPage(error, site, await shop.texts(site, visit.request.headers))
    }
  }
}

async function answer(shop: RestoreShop, visit: Visit): Promise<Response> {
  if (isRouterFetch(visit.request.headers))
    return new Response(null, { status: 204, headers: secretLinkHeaders })
  const hasCodes = shop.acceptCode() !== undefined
  const asked = readRestoreRequest((await visit.parameters()).tree, hasCodes)
  checkLink(shop.restoreLinks, asked)

  const cart = await findCart(shop, asked)
  const site = await shop.sites.at(publicUrl(visit.request))
  const siteId = cart === 'completed' ? undefined : cart?.siteId
  const cartSite = await shop.sites.find(siteId)
  const homeCartUrl = await findHomeCart(shop, visit)
  const { hasMoved } = asked
  const place = decideByPlace({ cart, current: site, cartSite, hasMoved, homeCartUrl })
  if (place.do === 'refuse') throw new Problem(place.code)
  if (place.do === 'move') return moveTo(place.site, asked)

  const visitor = await visit.visitor()
  const texts = await shop.texts(site, visit.request.headers)
  return answerVisitor(shop, { ...place, visit, asked, site, texts, visitor })
}

/** The cart page of a store without sites, where the visitor is. */
async function findHomeCart(
  { sites, options: { cartPath } }: RestoreShop,
  { request }: Visit,
): Promise<string | undefined> {
  return (await sites.hasAny()) ? undefined : siteUrl(publicOrigin(request), cartPath)
}

/** Rules 6 to 8: the answer depends on whose the cart is. */
async function answerVisitor(shop: RestoreShop, arrival: Arrival): Promise<Response> {
  const { abandonedCarts } = shop
  const { cart, visitor } = arrival
  if (cart.customerId === undefined) return restore(shop, arrival)
  if (visitor === undefined) {
    const isOfAccount = await abandonedCarts.isAbleToLogIn(cart.customerId)
    return isOfAccount ? askToLogIn(shop, arrival) : restore(shop, arrival)
  }
  const isOwn = abandonedCarts.isCustomer(visitor, cart.customerId)
  return isOwn ? restore(shop, arrival) : askToLogOut(shop, arrival)
}

function checkLink(links: RestoreLinks, { link }: RestoreRequest): void {
  const state = links.check(link)
  // A forged link must not show whether there is such a cart.
  if (state === 'forged') throw new Problem('CART_NOT_FOUND')
  if (state === 'expired') throw new Problem('LINK_EXPIRED')
}

/** A text that cannot be a number costs no query. */
const findCart = async ({ abandonedCarts }: RestoreShop, { link }: RestoreRequest) =>
  /^[\da-f]{32}$/.test(link.number) ? abandonedCarts.find(link.number) : undefined

function moveTo(site: Site, asked: RestoreRequest): Response {
  const url = restoreUrl(site.baseUrl, queryOf({ ...asked, hasMoved: true }))
  // Never happens: `decideByPlace` moves nobody to a site whose base URL is invalid.
  if (url === undefined) throw new Problem('CART_URL_MISSING')
  return found(url)
}

/** Rule 6: the cart belongs to another account than the visitor's. */
async function askToLogOut(shop: RestoreShop, arrival: Arrival): Promise<Response> {
  const { visit, asked, site, texts, cartUrl } = arrival
  const session = await visit.session()
  // The token of the form is valid only with the session's cookie.
  if (changes(visit)) session.keep()
  const fields = [
    { name: csrfParameter, value: shop.forms.csrf.issue(session.data.id) },
    { name: redirectParameter, value: shop.forms.redirects.sign(ownLink(visit.request, asked)) },
  ]
  const action = `${actionBase(visit.request)}/actions/users/logout`
  return restorePageReply(
    {
      ...{ site, language: texts.language, ...texts.logOut },
      form: { method: 'post', action, fields },
      stay: { text: texts.stay, url: cartUrl },
    },
    {
      render: shop.options.restore.pages?.logOut,
      formTargets: [new URL(cartUrl).origin],
      colors: shop.options.pageColors,
      texts,
    },
  )
}

/** Rule 7: the cart belongs to an account, and the visitor is logged out. */
async function askToLogIn(shop: RestoreShop, arrival: Arrival): Promise<Response> {
  const { visit, asked, site, texts } = arrival
  const session = await visit.session()
  const returnUrl = returnUrlOf(visit.request, asked)
  if (changes(visit)) session.change({ returnUrl })
  const base = site?.baseUrl ?? publicOrigin(visit.request)
  const login = siteUrl(base, shop.options.loginPath) ?? redirectTarget(shop.options.loginPath)
  const action = withWayBack(login, { returnUrl, request: visit.request })
  const target = parseUrl(action)
  return restorePageReply(
    { site, language: texts.language, ...texts.logIn, form: { method: 'get', action, fields: [] } },
    {
      render: shop.options.restore.pages?.logIn,
      formTargets: target ? [target.origin] : [],
      colors: shop.options.pageColors,
      texts,
    },
  )
}

/** Says in `redirect` where the login leads, as the login page of Payload's ecommerce template reads it. */
function withWayBack(
  login: string,
  { returnUrl, request }: { returnUrl: string | undefined; request: Addressed },
): string {
  const url = parseUrl(login)
  // The way back is a path, which another origin would take for its own.
  if (returnUrl === undefined || url?.origin !== publicOrigin(request)) return login
  if (url.searchParams.has(redirectParameter)) return login
  url.searchParams.set(redirectParameter, returnUrl)
  return url.href
}

/** Rule 8: the visitor may have the cart. */
async function restore(shop: RestoreShop, arrival: Arrival): Promise<Response> {
  const { visit, asked, cart, cartUrl } = arrival
  if (cart.isSpent) throw new Problem('CART_NOTHING_LEFT')
  if (changes(visit)) await putBack(shop, arrival)
  return found(withCampaign(cartUrl, asked))
}

async function putBack(shop: RestoreShop, arrival: Arrival): Promise<void> {
  const { visit, site, texts, cart, visitor } = arrival
  const session = await visit.session()
  // Payload's `Critical-CH` makes a browser ask for the first page that it opens twice.
  const isRepeat = session.data.cartId === cart.id
  const former = await formerCart(shop, { ...arrival, session })
  await shop.abandonedCarts.handOver(cart, cartHolder(session.data, { visitor, site }))

  session.change(withCart(session.data, cart.id, former?.id))
  addNotice(session, texts.restored)
  if (former?.isOfThisCommerceStore) addNotice(session, texts.formerCartKept)
  // The number is not logged, as anyone who has it can open the cart.
  if (!isRepeat) shop.log.info({ requestId: visit.requestId, cartId: cart.id }, 'Cart restored')
  await writeCoupon(shop, arrival)
  if (!(await writeCode(shop, arrival))) addNotice(session, texts.codeRefused)
}

/**
 * The visitor's cart before the restore, if it is another one and not empty. One of another commerce store is kept
 * until the visitor is back in that store.
 */
async function formerCart(
  { carts }: RestoreShop,
  { cart, site, visitor, session }: Arrival & { session: Session },
): Promise<{ id: DocumentId; isOfThisCommerceStore: boolean } | undefined> {
  const { id: sessionId, cartId } = session.data
  const hasNone = cartId === undefined && visitor === undefined
  if (hasNone || cartId === cart.id) return undefined
  if (cartId !== undefined && (await carts.isOfAnotherCommerceStore({ cartId, site }))) {
    return { id: cartId, isOfThisCommerceStore: false }
  }
  const former = await carts.find({ sessionId, cartId, visitor, site })
  if (former === undefined || former.id === cart.id) return undefined
  return cartQuantity(former) > 0 ? { id: former.id, isOfThisCommerceStore: true } : undefined
}

async function writeCoupon(
  { abandonedCarts, options, log }: RestoreShop,
  { visit, asked: { link }, cart }: Arrival,
): Promise<void> {
  const code = link.coupon
  const { acceptCoupon } = options.restore
  if (code === undefined || acceptCoupon === undefined) return
  try {
    if (await acceptCoupon({ code, number: cart.number })) {
      await abandonedCarts.addCoupon(cart, code)
    }
  } catch (error) {
    // When the store's own code fails, the cart is still restored without its discount.
    log.error({ requestId: visit.requestId, cartId: cart.id, err: error }, 'Coupon not written')
  }
}

/** False when the link has a code that the cart does not get. */
async function writeCode(
  { abandonedCarts, acceptCode, log }: RestoreShop,
  { visit, asked: { code }, cart }: Arrival,
): Promise<boolean> {
  if (code === undefined) return true
  const { requestId, clientIp } = visit
  try {
    const isAccepted = await acceptCode()?.(code, { clientIp, cart: cart.number })
    if (isAccepted === true) await abandonedCarts.addCoupon(cart, code)
    return isAccepted === true
  } catch (error) {
    // When the store's own code fails, the cart is still restored without its discount.
    log.error({ requestId, cartId: cart.id, err: error }, 'Code not written')
    return false
  }
}

const changes = ({ request }: Visit) => request.method === 'GET' && !isFetchedAhead(request.headers)

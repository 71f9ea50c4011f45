import { Problem, type ProblemCode } from '../../core/errors.js'
import { actionBase, type Addressed } from '../../core/http/public-origin.js'
import { looseTextParameter, type ParameterTree } from '../../core/http/parameters.js'
import { isCoupon, linkQuery, restorePath, type RestoreLink } from '../restore-link.js'
import { type Site, siteUrl } from '../../shop/sites/site.js'
import type { AbandonedCart } from './abandoned-carts.js'

/** Marks a link that already moved the visitor to another site, so that redirects never form a circle. */
const movedParameter = 'moved'

const codeParameter = 'code'

/** A longer text is no code, and stays none when it is cut here. */
const codeLimit = 65

/** The most campaign parameters that are kept from a link; links in mails have only a few. */
const campaignLimit = 10
const campaignTextLimit = 200
const campaignNames = /^(?:utm_[a-z\d_]{1,30}|_kx)$/

/** The most characters of a return URL that fit into the session's cookie. */
const returnUrlLimit = 1500

export interface RestoreRequest {
  link: RestoreLink
  /** A code that whoever sent the link has added to it, which no signature covers. */
  code: string | undefined
  /** Whether the same link on another site sent the visitor here. */
  hasMoved: boolean
  /** Parameters such as `utm_source`. */
  campaign: readonly (readonly [name: string, value: string])[]
}

/**
 * @param hasCodes Whether the shop knows codes in links. Default: they are left out.
 * @throws {Problem} CART_NUMBER_MISSING when there is no number, or a blank one.
 */
export function readRestoreRequest(tree: ParameterTree, hasCodes = false): RestoreRequest {
  const text = (name: string) => looseTextParameter(tree, name)
  const number = text('number')?.trim().toLowerCase() ?? ''
  if (number === '') throw new Problem('CART_NUMBER_MISSING')
  const coupon = text('coupon')
  return {
    link: {
      number,
      coupon: coupon !== undefined && isCoupon(coupon) ? coupon : undefined,
      expires: text('expires'),
      signature: text('signature'),
    },
    code: hasCodes ? text(codeParameter)?.slice(0, codeLimit) : undefined,
    hasMoved: text(movedParameter) !== undefined,
    campaign: Object.keys(tree)
      .filter((name) => campaignNames.test(name))
      .flatMap((name) => {
        const value = text(name) ?? ''
        return value !== '' && value.length <= campaignTextLimit ? [[name, value] as const] : []
      })
      .slice(0, campaignLimit),
  }
}

/** The query of the same link, without unknown parameters. */
export function queryOf({ link, code, hasMoved, campaign }: RestoreRequest): URLSearchParams {
  const query = linkQuery(link)
  if (code !== undefined) query.set(codeParameter, code)
  for (const [name, value] of campaign) query.set(name, value)
  if (hasMoved) query.set(movedParameter, '1')
  return query
}

export function withCampaign(url: string, { campaign }: Pick<RestoreRequest, 'campaign'>): string {
  if (campaign.length === 0) return url
  const target = new URL(url)
  for (const [name, value] of campaign) target.searchParams.set(name, value)
  return target.href
}

/** The path of this link, which works on the visitor's current origin. */
export const ownLink = (request: Addressed, asked: RestoreRequest): string =>
  `${actionBase(request)}/actions/${restorePath}?${queryOf(asked)}`

/** Like `ownLink`, without the campaign when it is too long for the cookie; undefined when still too long. */
export function returnUrlOf(request: Addressed, asked: RestoreRequest): string | undefined {
  const links = [ownLink(request, asked), ownLink(request, { ...asked, campaign: [] })]
  return links.find(({ length }) => length <= returnUrlLimit)
}

/** What is known about the cart and the site where its link was opened. */
export interface PlaceFacts {
  cart: AbandonedCart | 'completed' | undefined
  /** The site that the visitor is on. */
  current: Site | undefined
  /** The site that the cart was created on; undefined when the cart has none, or it was deleted. */
  cartSite: Site | undefined
  /** Whether the same link on another site sent the visitor here. */
  hasMoved: boolean
  /** Where a store without sites shows its cart; undefined in a store that has any. */
  homeCartUrl?: string | undefined
}

type PlaceDecision =
  | { do: 'refuse'; code: ProblemCode }
  /** Send the visitor to the same link on the cart's site. */
  | { do: 'move'; site: Site }
  | { do: 'goOn'; cart: AbandonedCart; cartUrl: string }

/** Rules 1 to 5 of `docs/interface.md` (Cart restore). Chooses; changes nothing. */
export function decideByPlace({
  cart,
  current,
  cartSite,
  hasMoved,
  homeCartUrl,
}: PlaceFacts): PlaceDecision {
  if (cart === undefined) return refuse('CART_NOT_FOUND')
  if (cart === 'completed') return refuse('CART_COMPLETED')
  if (cartSite !== undefined && cartSite.id !== current?.id) {
    // A site whose base URL is invalid cannot be moved to, so the visitor stays here.
    if (!hasMoved && siteUrl(cartSite.baseUrl, '/') !== undefined) {
      return { do: 'move', site: cartSite }
    }
    if (cartSite.store !== (current?.store ?? '')) return refuse('CART_OF_OTHER_STORE')
  }
  // A cart that is older than the sites counts as one of the current site.
  const cartUrl = homeCartUrl ?? cartUrlOf(cartSite ?? current)
  return cartUrl === undefined ? refuse('CART_URL_MISSING') : { do: 'goOn', cart, cartUrl }
}

/** Where a site shows its cart; undefined when its Cart URL is missing or invalid. */
const cartUrlOf = (site: Site | undefined): string | undefined =>
  site && siteUrl(site.baseUrl, site.cartUrl)

const refuse = (code: ProblemCode): PlaceDecision => ({ do: 'refuse', code })

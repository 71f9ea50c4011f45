import { currentSite, fittingSite } from '../commerce/current-site.js'
import type { Site } from '../commerce/site.js'
import { visibleUrl } from './visible-url.js'

/** A request to the CMS's own API, which has one address for all sites. */
export interface ApiRequest {
  /** Undefined for a call of the store's own code that no visitor's request is behind. */
  url: string | undefined
  headers: Headers
}

/**
 * The site that a shopper was on: the page that asked tells, when it is the store's own, else the
 * address that was asked, else the primary site stands in.
 */
export function shoppingSite(sites: readonly Site[], request: ApiRequest): Site | undefined {
  const own = visibleUrl(request)
  const page = request.headers.get('referer')
  const isOurs = page !== null && isHttp(page) && (isOn(own, page) || fittingSite(sites, page))
  return currentSite(sites, isOurs ? page : own)
}

const isHttp = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const isOn = (own: string | undefined, page: string) =>
  own !== undefined && new URL(own).origin === new URL(page).origin

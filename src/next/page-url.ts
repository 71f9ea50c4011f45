import type { Addressed } from '../http/public-origin.js'
import { visibleUrl } from '../http/visible-url.js'

// A page does not know its own path, so the proxy hands its URL over here.
const pageHeader = 'x-storeconnect-page'

const unknown = 'http://localhost/'

/** Hands the page its URL, without a query; what a client sent under that name goes. */
export function handOverPageUrl(headers: Headers, request: Addressed): void {
  headers.set(pageHeader, visibleUrl(request) ?? unknown)
}

/** The page's URL; where the proxy does not run, its host alone. */
export function pageUrlOf(headers: Headers): string {
  const given = headers.get(pageHeader)
  if (given !== null && URL.canParse(given)) return given
  return visibleUrl({ url: undefined, headers }) ?? unknown
}

import { publicOrigin, type Addressed } from './public-origin.js'
import { parseUrl } from './parse-url.js'

/** Whether an origin belongs to the store that the request was sent to. */
export type IsOwnOrigin = (origin: string, request: Addressed) => boolean

/**
 * Returns a check for the origins of the store: the one that the visitor's browser shows, and those of
 * `urls`, such as the config's `serverURL` and `csrf`.
 */
export function createOwnOrigins(urls: readonly string[]): IsOwnOrigin {
  const named = originsOf(urls)
  return (origin, request) => named.has(origin) || origin === publicOrigin(request)
}

/** The origins of the URLs. Texts that are no URLs are left out. */
export function originsOf(urls: readonly string[]): Set<string> {
  const origins = urls.flatMap((url) => parseUrl(url)?.origin ?? [])
  // All opaque origins are written as `null`, so it names none of them.
  return new Set(origins.filter((origin) => origin !== 'null'))
}

/**
 * Whether the browser's headers allow that a post comes from a page of the store. A client without these
 * headers is no browser, so no page of another site can misuse it.
 */
export function isFromOwnSite(request: Addressed, isOwnOrigin: IsOwnOrigin): boolean {
  const site = request.headers.get('sec-fetch-site')?.toLowerCase()
  if (site === 'cross-site') return false
  // This header comes first, as `Origin` is `null` for pages that send no referrer.
  if (site === 'same-origin') return true
  const origin = request.headers.get('origin')
  return origin === null || isOwnOrigin(origin, request)
}

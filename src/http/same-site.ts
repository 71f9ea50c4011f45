import { publicOrigin, type Addressed } from './public-origin.js'

/** Whether an origin is one of the store's own, for a request to it. */
export type IsOwnOrigin = (origin: string, request: Addressed) => boolean

/**
 * The origins of the store: the one that the visitor's browser shows, and those that the config
 * names (`serverURL`, `csrf`).
 */
export function createOwnOrigins(urls: readonly string[]): IsOwnOrigin {
  const named = originsOf(urls)
  return (origin, request) => named.has(origin) || origin === publicOrigin(request)
}

/** The origins of those of the texts that are URLs. */
export function originsOf(urls: readonly string[]): Set<string> {
  const origins = urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)
  // An opaque origin is told as `null`, whoever it is.
  return new Set(origins.filter((origin) => origin !== 'null'))
}

/**
 * Whether a post may come from a page of the store, by what the browser says of it. A client that
 * says nothing is no browser that somebody else's page could misuse.
 */
export function isFromOwnSite(request: Addressed, isOwnOrigin: IsOwnOrigin): boolean {
  const site = request.headers.get('sec-fetch-site')?.toLowerCase()
  if (site === 'cross-site') return false
  // Said by the browser itself. `Origin` is then `null` on pages that send no referrer.
  if (site === 'same-origin') return true
  const origin = request.headers.get('origin')
  return origin === null || isOwnOrigin(origin, request)
}

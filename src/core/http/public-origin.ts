/** The parts of a request that tell its public URL. A server component has no more than these. */
export interface Addressed {
  url: string
  headers: Headers
}

/**
 * Whether the visitor came over https. A proxy that ends TLS says so in `X-Forwarded-Proto`. Another
 * site's page cannot make a browser send that header, and visitors who forge it only lose their own cookie.
 */
export function isSecure({ url, headers }: Addressed): boolean {
  if (url.startsWith('https:')) return true
  return headers.get('x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase() === 'https'
}

/** The origin of a host and port; undefined for an invalid `Host` header, such as one with a path. */
export function originOfHost(scheme: string, host: string): string | undefined {
  return /[\s/\\?#@]/.test(host) ? undefined : parseUrl(`${scheme}//${host}`)?.origin
}

/**
 * The origin that the visitor's browser shows. The `Host` header comes first, because Next.js puts the
 * host that it listens on into a request's URL.
 */
export function publicOrigin(request: Addressed): string {
  const { protocol, host } = new URL(request.url)
  const scheme = isSecure(request) ? 'https:' : protocol
  const asked = originOfHost(scheme, request.headers.get('host') ?? host)
  return asked ?? new URL(`${scheme}//${host}`).origin
}

/** The URL that the visitor's browser shows, without its query. */
export const publicUrl = (request: Addressed): string =>
  publicOrigin(request) + new URL(request.url).pathname

/** The path before `/actions/`, below which all actions are reachable. Blank for the host itself. */
export function actionBase({ url }: Pick<Addressed, 'url'>): string {
  const { pathname } = new URL(url)
  // A browser takes two slashes at the beginning for another host.
  return pathname.slice(0, pathname.indexOf('/actions/')).replace(/^\/+/, '/').replace(/^\/$/, '')
}

/** A request to a page or to Payload's API, which has one URL for all sites and may have none. */
export interface VisibleRequest {
  url: string | undefined
  headers: Headers
}

/**
 * The URL that the visitor's browser shows, without its query. For a request without a URL, it is made of
 * the `Host` header. Undefined when the URL is invalid, or there is neither.
 */
export function visibleUrl({ url, headers }: VisibleRequest): string | undefined {
  if (url !== undefined) return parseUrl(url) ? publicUrl({ url, headers }) : undefined
  return headers.has('host') ? publicUrl({ url: 'http://localhost/', headers }) : undefined
}

/**
 * The URL of a text; undefined when the text is none. In place of `URL.canParse`, which on Node.js 20 and 22
 * refuses hosts with umlauts after some thousand calls.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

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

import { parseUrl } from './parse-url.js'

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

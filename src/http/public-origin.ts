/** What tells a request's address: the front door has the whole request, a page its parts. */
export interface Addressed {
  url: string
  headers: Headers
}

/**
 * Whether the visitor came over https. Behind a proxy that ends TLS, the proxy says so. Nobody else's
 * browser can be made to send that header, and a visitor who forges it hides a cookie from himself.
 */
export function isSecure({ url, headers }: Addressed): boolean {
  if (url.startsWith('https:')) return true
  return headers.get('x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase() === 'https'
}

/** The origin of a host and port; undefined for what a `Host` header must not hold, such as a path. */
export function originOfHost(scheme: string, host: string): string | undefined {
  const url = `${scheme}//${host}`
  return /[\s/\\?#@]/.test(host) || !URL.canParse(url) ? undefined : new URL(url).origin
}

/**
 * The origin that the visitor's browser shows. Next.js names the host that it listens on in a
 * request's URL, so the `Host` header comes first.
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

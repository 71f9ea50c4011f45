import { isFetchedAhead } from '../http/fetched-ahead.js'

/**
 * Whether a browser asks for a page that a person will see. What Next.js fetches on its own, to
 * prefetch a link or to change pages within the browser, must neither use up a notice nor begin a
 * session: the proxy cannot tell the one from the other, as Next.js hides its own headers from it.
 */
export function isPageView({ method, url, headers }: Request): boolean {
  // A site's own actions are below its path: `/de/actions/…`.
  if (method !== 'GET' || new URL(url).pathname.includes('/actions/')) return false
  if (isFetchedAhead(headers)) return false
  // Browsers send `Sec-Fetch-Dest` on https and to the own machine only.
  const destination = headers.get('sec-fetch-dest')
  if (destination !== null) return destination === 'document'
  return /\btext\/html\b/i.test(headers.get('accept') ?? '')
}

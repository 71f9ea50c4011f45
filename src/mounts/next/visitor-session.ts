import { realEffects } from '../../core/effects.js'
import { takeNotices, type FlashNotice } from '../../core/http/session.js'
import { createSessions, type Sessions } from '../../core/http/sessions.js'
import { isSecure, type Addressed, visibleUrl, parseUrl } from '../../core/http/public-origin.js'
import { noticeCookie, noticesText, readNotices } from './notice-cookie.js'
import { isFetchedAhead } from '../../core/http/request-headers.js'

/**
 * Whether a browser asks for a page that a person will see. Next.js also fetches pages on its own, to
 * prefetch a link or to navigate within the browser, and hides from the proxy the headers that would
 * tell these two apart. So neither of them may use up a notice or begin a session.
 */
export function isPageView({ method, url, headers }: Request): boolean {
  // The actions of a site are below the site's path: `/de/actions/…`.
  if (method !== 'GET' || new URL(url).pathname.includes('/actions/')) return false
  if (isFetchedAhead(headers)) return false
  // Browsers send `Sec-Fetch-Dest` only over https and to localhost.
  const destination = headers.get('sec-fetch-dest')
  if (destination !== null) return destination === 'document'
  return /\btext\/html\b/i.test(headers.get('accept') ?? '')
}

interface PageView {
  /** The request's headers, plus the page's URL, the session's cookie and the notices to show. */
  headers: Headers
  /** `Set-Cookie` with the session; undefined when the browser has it already. */
  cookie: string | undefined
  /** `Set-Cookie` with the notices, for a static page; undefined when there are none. */
  noticeCookie?: string | undefined
}

/**
 * Gives each visitor a session with the first page, and takes the notices out of the session for this
 * page. The proxy does this because a page cannot set cookies while it is rendered.
 */
export async function beginPageView(sessions: Sessions, request: Request): Promise<PageView> {
  const headers = new Headers(request.headers)
  writeNotices(headers, [])
  handOverPageUrl(headers, request)
  if (!isPageView(request)) return { headers, cookie: undefined }

  const session = await sessions.open(request)
  session.keep()
  const notices = takeNotices(session)
  writeNotices(headers, notices)
  const cookie = await session.cookie()
  if (cookie !== undefined) replaceCookie(headers, cookie)
  return { headers, cookie, noticeCookie: noticeCookie(notices, isSecure(request)) }
}

/** Puts the cookie that the answer sets into the request too, so that the page reads it now. */
function replaceCookie(headers: Headers, setCookie: string): void {
  const [pair = ''] = setCookie.split(';')
  const name = pair.slice(0, pair.indexOf('=') + 1)
  const others = (headers.get('cookie') ?? '')
    .split(';')
    .map((text) => text.trim())
    .filter((text) => text !== '' && !text.startsWith(name))
  headers.set('cookie', [...others, pair].join('; '))
}

/** @throws {TypeError} when the secret is missing, because anybody could then forge sessions. */
export function sessionsFor(secret: string | undefined): Sessions {
  if (!secret) throw new TypeError('visitorSession(): pass the secret of the Payload config.')
  return createSessions({ secret, effects: realEffects })
}

// Next.js does not tell a page its path, so the proxy passes the URL on in this header.
const pageHeader = 'x-storeconnect-page'

const unknown = 'http://localhost/'

/** Passes the URL without its query to the page. It replaces a header that the client sent. */
export function handOverPageUrl(headers: Headers, request: Addressed): void {
  headers.set(pageHeader, visibleUrl(request) ?? unknown)
}

/** The page's URL. Where the proxy does not run, only its host is known. */
export function pageUrlOf(headers: Headers): string {
  const given = headers.get(pageHeader)
  if (given !== null && parseUrl(given)) return given
  return visibleUrl({ url: undefined, headers }) ?? unknown
}

// A page cannot set cookies, so the proxy takes the notices out and passes them on in this header.
const noticesHeader = 'x-storeconnect-notices'

/** Passes the notices to the page, and removes the header if the client sent one of that name. */
export function writeNotices(headers: Headers, flash: readonly FlashNotice[]): void {
  headers.delete(noticesHeader)
  if (flash.length > 0) headers.set(noticesHeader, noticesText(flash))
}

/** The notices that the proxy has passed on. */
export const handedNotices = (headers: Headers): FlashNotice[] =>
  readNotices(headers.get(noticesHeader) ?? '')

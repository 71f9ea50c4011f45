import { takeNotices } from '../http/flash-notice.js'
import { isSecure } from '../http/public-origin.js'
import { createSessions, type Sessions } from '../http/session.js'
import { noticeCookie } from './notice-cookie.js'
import { isPageView } from './page-view.js'
import { writeNotices } from './page-notices.js'
import { handOverPageUrl } from './page-url.js'

/** What a page view means for the request as the page gets it, and for the answer. */
export interface PageVisit {
  /** The request's headers, with the page's URL, the session in the cookie and the notices to show. */
  headers: Headers
  /** `Set-Cookie` of the answer; undefined when the browser's own is good. */
  cookie: string | undefined
  /** `Set-Cookie` with the notices, for a page that was built before; undefined when there are none. */
  noticeCookie?: string | undefined
}

/**
 * Gives each visitor a session with the first page, and takes out the notices that this page shows.
 * A page itself cannot set cookies while it is rendered.
 */
export async function beginPageVisit(sessions: Sessions, request: Request): Promise<PageVisit> {
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

/** Has the page see the cookie that the browser is only just being given. */
function replaceCookie(headers: Headers, setCookie: string): void {
  const [pair = ''] = setCookie.split(';')
  const name = pair.slice(0, pair.indexOf('=') + 1)
  const others = (headers.get('cookie') ?? '')
    .split(';')
    .map((text) => text.trim())
    .filter((text) => text !== '' && !text.startsWith(name))
  headers.set('cookie', [...others, pair].join('; '))
}

/** @throws {TypeError} when the secret is missing, as everybody could make up sessions then. */
export function sessionsFor(secret: string | undefined): Sessions {
  if (!secret) throw new TypeError('visitorSession(): pass the secret of the Payload config.')
  return createSessions({ secret })
}

import { type Addressed, visibleUrl, parseUrl } from '../../core/http/public-origin.js'
import type { FlashNotice } from '../../core/http/session.js'
import { noticesText, readNotices } from './notice-cookie.js'

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

import { cookieLimitBytes } from '../../core/http/request-headers.js'
import type { FlashNotice } from '../../core/http/session.js'

// The prefix ties the cookie to one host. Browsers accept it over https only.
const nameOf = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}storeconnect-notices`

const seconds = 60

/**
 * The `Set-Cookie` header with the notices of a page view. A static page was built before the request
 * and does not contain them, so its script reads them from this cookie. Undefined when there are no
 * notices, or when they do not fit in a cookie.
 */
export function noticeCookie(
  notices: readonly FlashNotice[],
  isSecure: boolean,
): string | undefined {
  if (notices.length === 0) return undefined
  const cookie = `${nameOf(isSecure)}=${noticesText(notices)}; ${attributes(isSecure)}; Max-Age=${seconds}`
  return cookie.length <= cookieLimitBytes ? cookie : undefined
}

/** In the browser: reads the notices of the page view, and deletes the cookie. */
export function takeNoticeCookie(): FlashNotice[] {
  const isSecure = location.protocol === 'https:'
  const name = nameOf(isSecure)
  const pair = document.cookie.split('; ').find((text) => text.startsWith(`${name}=`))
  if (pair === undefined) return []
  document.cookie = `${name}=; ${attributes(isSecure)}; Max-Age=0`
  return readNotices(pair.slice(name.length + 1))
}

export const noticesText = (notices: readonly FlashNotice[]): string =>
  encodeURIComponent(JSON.stringify(notices))

/** Reads that text. Visitors can send one that we did not write; it has no notices. */
export function readNotices(text: string): FlashNotice[] {
  try {
    const value: unknown = JSON.parse(decodeURIComponent(text))
    return Array.isArray(value) ? value.filter(isNotice) : []
  } catch {
    return []
  }
}

const attributes = (isSecure: boolean) => `Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`

const isNotice = (value: unknown): value is FlashNotice =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  (value.kind === 'notice' || value.kind === 'error') &&
  'text' in value &&
  typeof value.text === 'string'

import { cookieLimitBytes } from '../http/cookie-value.js'
import type { FlashNotice } from '../http/session.js'

// The prefix ties the cookie to one host over https; plain http cannot have it.
const nameOf = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}storeconnect-notices`

const seconds = 60

/**
 * `Set-Cookie` for what a page view has to show: the page may have been built before anybody asked
 * for it, so its script finds the notices here. Undefined when there are none, or too many to keep.
 */
export function noticeCookie(
  notices: readonly FlashNotice[],
  isSecure: boolean,
): string | undefined {
  if (notices.length === 0) return undefined
  const value = encodeURIComponent(JSON.stringify(notices))
  const cookie = `${nameOf(isSecure)}=${value}; ${attributes(isSecure)}; Max-Age=${seconds}`
  return cookie.length <= cookieLimitBytes ? cookie : undefined
}

/** In the browser: what the page view has to show, once. */
export function takeNoticeCookie(): FlashNotice[] {
  const isSecure = location.protocol === 'https:'
  const name = nameOf(isSecure)
  const pair = document.cookie.split('; ').find((text) => text.startsWith(`${name}=`))
  if (pair === undefined) return []
  document.cookie = `${name}=; ${attributes(isSecure)}; Max-Age=0`
  try {
    const value: unknown = JSON.parse(decodeURIComponent(pair.slice(name.length + 1)))
    return Array.isArray(value) ? value.filter(isNotice) : []
  } catch {
    // Nothing of ours: anybody can write a cookie of this name in their own browser.
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

import { realEffects } from '../effects.js'
import { createCsrfTokens, csrfParameter, type FormGuard } from '../http/csrf.js'
import { createSessions, type FlashNotice } from '../http/session.js'
import { createSignedRedirects, redirectParameter } from '../http/redirect-target.js'
import type { HiddenField } from '../http/html-page.js'
import { noticesText, readNotices } from './notice-cookie.js'
import { type Addressed, visibleUrl } from '../http/public-origin.js'
import { parseUrl } from '../http/parse-url.js'

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

/**
 * What the forms and notices of one page view need.
 *
 * @param secret The secret of the Payload config.
 */
export function createPageForms(secret: string) {
  // A page has forms also where Storeconnect is switched off, and has no effects of its own.
  const sessions = createSessions({ secret, effects: realEffects })
  const csrf = createCsrfTokens({ secret, effects: realEffects })
  const redirects = createSignedRedirects({ secret })
  return (headers: Headers) => {
    // Next.js gives a page its headers, but not its URL.
    const url = `http://${headers.get('host') ?? 'localhost'}/`
    /** The visitor's session as it was when the page was requested. */
    const session = async () => (await sessions.open({ url, headers })).data
    return {
      session,
      async csrfField(guard?: FormGuard): Promise<HiddenField> {
        const { id } = await session()
        const value = csrf.issue(id, guard)
        return { name: csrfParameter, value }
      },
      /** @throws {TypeError} when the target is not an http(s) URL or a path. */
      redirectField: (target: string): HiddenField => ({
        name: redirectParameter,
        value: redirects.sign(target),
      }),
      notices: () => readNotices(headers.get(noticesHeader) ?? ''),
    }
  }
}

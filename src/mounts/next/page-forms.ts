import { realEffects } from '../../core/effects.js'
import { createCsrfTokens, csrfParameter, type FormGuard } from '../../core/http/csrf.js'
import type { HiddenField } from '../../core/http/html-page.js'
import { createSignedRedirects, redirectParameter } from '../../core/http/redirect-target.js'
import { createSessions } from '../../core/http/sessions.js'
import { handedNotices } from './visitor-session.js'

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
      notices: () => handedNotices(headers),
    }
  }
}

import { createCsrfTokens, csrfParameter, type FormGuard } from '../http/csrf.js'
import { createSessions, type FlashNotice, type SessionData } from '../http/session.js'
import { createSignedRedirects, redirectParameter } from '../http/signed-redirect.js'
import type { HiddenField } from './hidden-input.js'
import { noticesOf } from './page-notices.js'

/** What the forms and notices of one page view need. */
export interface PageForms {
  csrfField(guard?: FormGuard): Promise<HiddenField>
  /** @throws {TypeError} when the target is not an http(s) URL or a path. */
  redirectField(target: string): HiddenField
  notices(): FlashNotice[]
  /** The visitor's session as it was when the page was asked for. */
  session(): Promise<Readonly<SessionData>>
}

/** @param secret The secret of the Payload config. */
export function createPageForms({
  secret,
  now = () => new Date(),
}: {
  secret: string
  now?: () => Date
}): (headers: Headers) => PageForms {
  const sessions = createSessions({ secret, now })
  const csrf = createCsrfTokens({ secret })
  const redirects = createSignedRedirects({ secret })
  return (headers) => {
    // A page knows its own address by headers alone.
    const url = `http://${headers.get('host') ?? 'localhost'}/`
    const session = async () => (await sessions.open({ url, headers })).data
    return {
      session,
      async csrfField(guard) {
        const { id } = await session()
        const value = csrf.issue(id, { now: now(), ...(guard && { guard }) })
        return { name: csrfParameter, value }
      },
      redirectField: (target) => ({ name: redirectParameter, value: redirects.sign(target) }),
      notices: () => noticesOf(headers),
    }
  }
}

import { NextResponse, type NextRequest } from 'next/server.js'
import type { Sessions } from '../../core/http/sessions.js'
import { beginPageView, sessionsFor } from './visitor-session.js'

export interface VisitorSessionOptions {
  /** The secret of the Payload config. */
  secret: string | undefined
  /**
   * Answers the request in the store's own way, such as with a rewrite. Pass `init` on: it has the
   * request headers that the page needs. Default: `NextResponse.next(init)`.
   */
  respond?: (
    request: NextRequest,
    init: { request: { headers: Headers } },
  ) => NextResponse | Promise<NextResponse>
}

/**
 * Makes the function for the store's `proxy.ts`. It gives each visitor a session with the first page,
 * so that the page's forms work without JavaScript, and it shows each flash notice once.
 *
 * @throws {TypeError} at the first request when the secret is missing.
 * @example
 * // proxy.ts
 * import { visitorSession } from 'payload-storeconnect/proxy'
 * export const proxy = visitorSession({ secret: process.env.PAYLOAD_SECRET })
 * export const config = { matcher: ['/((?!(?:_next|actions|admin|api)(?:/|$)|.*\\.).*)'] }
 */
export function visitorSession({
  secret,
  respond = (_, init) => NextResponse.next(init),
}: VisitorSessionOptions): (request: NextRequest) => Promise<NextResponse> {
  // A build loads the store's `proxy.ts` too, and has no secret, so the first request checks it.
  let sessions: Sessions | undefined
  return async (request) => {
    sessions ??= sessionsFor(secret)
    const { headers, cookie, noticeCookie } = await beginPageView(sessions, request)
    const response = await respond(request, { request: { headers } })
    for (const each of [cookie, noticeCookie]) {
      if (each === undefined) continue
      response.headers.append('set-cookie', each)
      // A cache that stored this answer would give one visitor's session to the next.
      response.headers.set('cache-control', 'private, no-store')
    }
    return response
  }
}

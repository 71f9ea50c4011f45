import { NextResponse, type NextRequest } from 'next/server.js'
import type { Sessions } from '../http/session.js'
import { beginPageVisit, sessionsFor } from './visitor-session.js'

export interface VisitorSessionOptions {
  /** The secret of the Payload config. */
  secret: string | undefined
  /**
   * What the store's proxy does itself with the page view, such as a rewrite. `init` has the request's
   * headers for the page. Default: `NextResponse.next(init)`.
   */
  respond?: (
    request: NextRequest,
    init: { request: { headers: Headers } },
  ) => NextResponse | Promise<NextResponse>
}

/**
 * For the store's `proxy.ts`: gives each visitor a session with the first page, so that its forms
 * work without JavaScript, and shows each flash notice once.
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
  // Not at once: a build loads the store's file too, and has no secret.
  let sessions: Sessions | undefined
  return async (request) => {
    sessions ??= sessionsFor(secret)
    const { headers, cookie, noticeCookie } = await beginPageVisit(sessions, request)
    const response = await respond(request, { request: { headers } })
    for (const each of [cookie, noticeCookie]) {
      if (each === undefined) continue
      response.headers.append('set-cookie', each)
      // Whoever kept this answer would hand one visitor's session to the next.
      response.headers.set('cache-control', 'private, no-store')
    }
    return response
  }
}

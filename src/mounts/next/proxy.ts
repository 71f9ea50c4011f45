import { NextRequest, NextResponse, type NextFetchEvent } from 'next/server.js'
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
  /**
   * The store's own proxy, instead of `respond`. It gets the request with the visitor's session. A page that it lets
   * through or rewrites gets the session, too. Default: none.
   */
  proxy?(this: void, request: NextRequest, event?: NextFetchEvent): Answer | Promise<Answer>
}

type Answer = Response | null | undefined | void

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
  proxy,
  respond = (_, init) => NextResponse.next(init),
}: VisitorSessionOptions): (request: NextRequest, event?: NextFetchEvent) => Promise<NextResponse> {
  // A build loads the store's `proxy.ts` too, and has no secret, so the first request checks it.
  let sessions: Sessions | undefined
  return async (request, event) => {
    sessions ??= sessionsFor(secret)
    const { headers, cookie, noticeCookie } = await beginPageView(sessions, request)
    const init = { request: { headers } }
    const response = proxy
      ? withRequestHeaders(await proxy(requestWith(request, headers), event), init)
      : await respond(request, init)
    for (const each of [cookie, noticeCookie]) {
      if (each === undefined) continue
      response.headers.append('set-cookie', each)
      // A cache that stored this answer would give one visitor's session to the next.
      response.headers.set('cache-control', 'private, no-store')
    }
    return response
  }
}

function requestWith(request: NextRequest, headers: Headers): NextRequest {
  const { basePath } = request.nextUrl
  return new NextRequest(request, { headers, nextConfig: { basePath } })
}

/** The answer of the store's proxy. Where it goes on to a page, that page gets the request headers of ours. */
function withRequestHeaders(
  response: Answer,
  init: { request: { headers: Headers } },
): NextResponse {
  const ours = NextResponse.next(init)
  if (!response) return ours
  const answer = new NextResponse(response.body, response)
  const goesOn = ['x-middleware-next', 'x-middleware-rewrite'].some((name) =>
    answer.headers.has(name),
  )
  if (!goesOn || answer.headers.has('x-middleware-override-headers')) return answer
  for (const [name, value] of ours.headers) {
    if (/^x-middleware-(override-headers|request-)/.test(name)) answer.headers.set(name, value)
  }
  return answer
}

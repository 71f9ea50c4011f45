import { randomBytes } from 'node:crypto'
import { NextResponse, type NextRequest } from 'next/server'
import { visitorSession } from 'payload-storeconnect/proxy'
import { pathInAmerica } from './america-path.ts'
import { contentPolicy } from './content-policy.ts'

/** Every site has the same pages; which site it is they read from the address that was asked for. */
export const proxy = visitorSession({
  secret: process.env.PAYLOAD_SECRET,
  respond(request, init) {
    const nonce = randomBytes(16).toString('base64')
    const policy = contentPolicy({ nonce, pathname: request.nextUrl.pathname })
    // Next.js gives its own scripts the nonce of this header, and the layout reads the other one.
    init.request.headers.set('content-security-policy', policy)
    init.request.headers.set('x-nonce', nonce)
    const response = pageOf(request, init)
    response.headers.set('content-security-policy', policy)
    return response
  },
})

function pageOf(request: NextRequest, init: { request: { headers: Headers } }): NextResponse {
  const pathname = pathInAmerica(request.nextUrl.pathname)
  if (pathname === undefined) return NextResponse.next(init)
  const page = request.nextUrl.clone()
  page.pathname = pathname
  return NextResponse.rewrite(page, init)
}

/** The store's own pages: the admin has a session of its own, and files need none. */
export const config = { matcher: ['/((?!(?:_next|actions|admin|api)(?:/|$)|.*\\.).*)'] }

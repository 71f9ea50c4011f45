import { NextResponse } from 'next/server'
import { visitorSession } from 'payload-storeconnect/proxy'
import { pathInAmerica } from './america-path.ts'

/** Every site has the same pages; which site it is they read from the address that was asked for. */
export const proxy = visitorSession({
  secret: process.env.PAYLOAD_SECRET,
  respond(request, init) {
    const pathname = pathInAmerica(request.nextUrl.pathname)
    if (pathname === undefined) return NextResponse.next(init)
    const page = request.nextUrl.clone()
    page.pathname = pathname
    return NextResponse.rewrite(page, init)
  },
})

/** The store's own pages: the admin has a session of its own, and files need none. */
export const config = { matcher: ['/((?!(?:_next|actions|admin|api)(?:/|$)|.*\\.).*)'] }

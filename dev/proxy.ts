import { visitorSession } from 'payload-storeconnect/proxy'

export const proxy = visitorSession({ secret: process.env.PAYLOAD_SECRET })

/** The store's own pages: the admin has a session of its own, and files need none. */
export const config = { matcher: ['/((?!_next|actions|admin|api|.*\\.).*)'] }

import {
  createLocalReq,
  executeAuthStrategies,
  type BasePayload,
  type PayloadRequest,
} from 'payload'
import type { Shop } from '../../core/shop.js'
import { cookieValue } from '../../core/http/request-headers.js'
import { type Addressed, createOwnOrigins, isFromOwnSite } from '../../core/http/public-origin.js'
import type { Visitor } from '../../core/http/visit.js'

/** Finds the user who is logged in. */
type Visitors = (request: Addressed) => Promise<Visitor | undefined>

/** Finds the user by Payload's own authentication. A visitor without a login costs no query. */
export function createVisitors({ payload }: Pick<Shop, 'payload'>): Visitors {
  return async (request) => {
    if (!mayBeLoggedIn(payload, request.headers)) return undefined
    const { user } = await authenticate(payload, request)
    return user ? { id: user.id, collection: user.collection, document: user } : undefined
  }
}

/** Finds the user of a request, and makes a Payload request in the user's name. */
export async function authenticate(
  payload: BasePayload,
  request: Addressed,
): Promise<{ user: PayloadRequest['user']; req: PayloadRequest }> {
  const headers = headersOfOwnPost(payload, request) ?? headersOfPageView(request.headers)
  const req = await createLocalReq({ req: { headers } }, payload)
  // Payload 3 asks for the request, too.
  const asked = { headers, payload, req }
  const { user } = await executeAuthStrategies(asked)
  req.user = user
  return { user, req }
}

/**
 * The headers of a post from a page of the same origin, changed to say so: Payload would ignore the login's cookie
 * where its config does not list the `Origin`. Undefined for any other request.
 */
function headersOfOwnPost({ config }: BasePayload, request: Addressed): Headers | undefined {
  const isOwnOrigin = createOwnOrigins([config.serverURL, ...config.csrf])
  if (!request.headers.has('origin') || !isFromOwnSite(request, isOwnOrigin)) return undefined
  const headers = new Headers(request.headers)
  headers.delete('origin')
  headers.set('sec-fetch-site', 'same-origin')
  return headers
}

/**
 * The headers of a page view to which another site linked, such as a web mailer, changed so that the customer stays
 * logged in: Payload would ignore the login's cookie.
 */
function headersOfPageView(headers: Headers): Headers {
  const isPageView =
    headers.get('sec-fetch-site') === 'cross-site' &&
    headers.get('sec-fetch-mode') === 'navigate' &&
    headers.get('sec-fetch-dest') === 'document' &&
    !headers.has('origin')
  if (!isPageView) return headers
  const own = new Headers(headers)
  own.set('sec-fetch-site', 'none')
  return own
}

/**
 * Whether the request has the login's cookie or an `Authorization` header. Strategies of the store may read anything.
 */
function mayBeLoggedIn({ authStrategies, config }: BasePayload, headers: Headers): boolean {
  const isOwn = ({ name }: { name: string }) => name !== 'local-jwt' && !name.endsWith('-api-key')
  if (authStrategies.some(isOwn) || config.admin.autoLogin) return true
  if (cookieValue(headers, `${config.cookiePrefix}-token`)) return true
  // ShipStation's own credentials are Basic, and no user's.
  return /^(?!basic\b)/i.test(headers.get('authorization') ?? 'basic')
}

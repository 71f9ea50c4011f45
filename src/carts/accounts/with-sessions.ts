import type { CollectionAfterMeHook, CollectionConfig, PayloadRequest } from 'payload'
import { cartHolder } from '../find-cart.js'
import type { CartParts } from '../parts.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { StoreConfig } from '../../core/feature.js'
import type { HttpParts } from '../../core/http/parts.js'
import {
  addressedOf,
  answerWithSession,
  hasSession,
  type Session,
} from '../../core/http/session.js'
import { withHooks } from '../../core/payload/collection-hooks.js'
import { idOf, valueAt } from '../../core/payload/document-value.js'
import type { SiteParts } from '../../shop/sites/parts.js'

type Store = StoreConfig<object, HttpParts & SiteParts & CartParts>

/** Adds hooks to the customers, so that the extension's code in the browser and the store's pages share one session. */
export const withSessions = (customers: CollectionConfig, store: Store): CollectionConfig =>
  withHooks(customers, {
    afterLogin: [renewSession(store, renewAtLogin)],
    afterLogout: [renewSession(store, renewAtLogout)],
    afterMe: [putCurrentCartFirst(store)],
  })

/** A hook that renews the visitor's session after a login or logout through Payload's own API. */
const renewSession =
  ({ partsOf }: Store, renew: (session: Session) => void) =>
  async ({ req }: { req: PayloadRequest }): Promise<void> => {
    const request = addressedOf(req)
    if (req.payloadAPI === 'local' || !request || !hasSession(request)) return
    const session = await (await partsOf(req.payload)).sessions.open(request)
    renew(session)
    await answerWithSession(req, session)
  }

/** Moves the session's cart to the front of `GET /api/users/me`, as the extension shows the first cart there. */
const putCurrentCartFirst =
  ({ options, partsOf }: Store): CollectionAfterMeHook =>
  async ({ collection, req, response }) => {
    const carts = valueAt(response, 'user.cart.docs')
    const isVisitor =
      req.user?.collection === collection.slug && req.user.id === idOf(valueAt(response, 'user'))
    // The store has no such join, or the request did not select it.
    if (!Array.isArray(carts) || !isVisitor) return response

    const id = await currentCartOf(req, await partsOf(req.payload))
    if (id === undefined) return response
    const current = (carts as unknown[]).find((cart) => idOf(cart) === id)
    const cartsSlug = options.collections.carts
    const first = current ?? (await readOwn(req, { cartsSlug, id, carts }))
    if (first === undefined) return response
    const others = (carts as unknown[]).filter((cart) => cart !== current)
    return withCarts(response, [first, ...others])
  }

/** Undefined for a request without a session, such as that of a mobile app. */
async function currentCartOf(
  req: PayloadRequest,
  { sessions, sites, carts }: Awaited<ReturnType<Store['partsOf']>>,
): Promise<DocumentId | undefined> {
  const request = addressedOf(req)
  const { user } = req
  if (!request || !user || !carts || !hasSession(request)) return undefined
  const session = (await sessions.open(request)).data
  const { id, collection } = user
  const visitor = { id, collection, document: { ...user } }
  const site = await sites.ofRequest(request)
  return (await carts.find(cartHolder(session, { visitor, site })))?.id
}

/**
 * Reads a cart that is not on this page of the list, as an id or a document like the others. Undefined when the
 * customer may not read it.
 */
async function readOwn(
  req: PayloadRequest,
  { cartsSlug, id, carts }: { cartsSlug: string; id: DocumentId; carts: readonly unknown[] },
): Promise<unknown> {
  const document: unknown = await req.payload.findByID({
    collection: cartsSlug,
    id,
    depth: 0,
    disableErrors: true,
    overrideAccess: false,
    req,
  })
  const hasDocuments = carts.some((cart) => typeof cart === 'object')
  return document && !hasDocuments ? id : (document ?? undefined)
}

function withCarts(response: unknown, docs: unknown[]): unknown {
  const { user, ...rest } = response as { user: { cart: Record<string, unknown> } }
  return { ...rest, user: { ...user, cart: { ...user.cart, docs } } }
}

/** Call it at login: the new id makes the guest's tokens invalid, and the return URL is used up. */
export function renewAtLogin(session: Session): void {
  session.renew()
  session.change({ returnUrl: undefined })
}

/** Call it at logout: the account keeps its carts, and the next person at this browser starts without one. */
export function renewAtLogout(session: Session): void {
  session.renew()
  session.change({
    cartId: undefined,
    formerCartIds: undefined,
    returnUrl: undefined,
    exchangeId: undefined,
  })
}

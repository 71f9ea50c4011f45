import type { CollectionAfterMeHook, CollectionConfig, PayloadRequest } from 'payload'
import type { DocumentId } from '../../commerce/order.js'
import { renewAtLogin, renewAtLogout } from '../../http/session-logins.js'
import { installedIn } from '../../installation.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import { cartHolder } from '../cart-holder.js'
import { addFields } from './add-fields.js'
import { idOf, valueAt } from './document-value.js'
import {
  forgetPerson,
  rememberPerson,
  rememberProfile,
  wakeForAccount,
} from '../../shop-events/account-hook.js'
import type { ShopEventsOf } from '../../shop-events/shop-events.js'
import { customerFields } from './order-fields.js'
import { renewSession } from './renew-session.js'
import { addressedOf, hasSession } from './request-session.js'

/**
 * The customers' collection with what ties the extension's code in the browser to the session, and
 * what tells of accounts.
 */
export function extendCustomers(
  customers: CollectionConfig,
  { options, eventsOf }: { options: ResolvedOptions; eventsOf: ShopEventsOf },
): CollectionConfig {
  const { enabled, collections } = options
  const { hooks = {} } = customers
  if (!customers.auth) return customers
  const fields = addFields(customers.fields, customerFields())
  if (!enabled) return { ...customers, fields }
  return {
    ...customers,
    fields,
    hooks: {
      ...hooks,
      beforeChange: [...(hooks.beforeChange ?? []), rememberProfile(eventsOf)],
      afterChange: [...(hooks.afterChange ?? []), wakeForAccount(eventsOf)],
      beforeDelete: [...(hooks.beforeDelete ?? []), rememberPerson(eventsOf)],
      afterDelete: [...(hooks.afterDelete ?? []), forgetPerson(eventsOf)],
      afterLogin: [...(hooks.afterLogin ?? []), renewSession(renewAtLogin)],
      afterLogout: [...(hooks.afterLogout ?? []), renewSession(renewAtLogout)],
      afterMe: [...(hooks.afterMe ?? []), putCurrentCartFirst(collections.carts)],
    },
  }
}

/**
 * The extension's `EcommerceProvider` takes the first cart of `GET /api/users/me` for the customer's.
 * So the first is the one that the visitor's session and the store's pages have.
 */
const putCurrentCartFirst =
  (cartsSlug: string): CollectionAfterMeHook =>
  async ({ collection, req, response }) => {
    const carts = valueAt(response, 'user.cart.docs')
    const isVisitor =
      req.user?.collection === collection.slug && req.user.id === idOf(valueAt(response, 'user'))
    // A store without such a join, or a question that left it out.
    if (!Array.isArray(carts) || !isVisitor) return response

    const id = await currentCartOf(req)
    if (id === undefined) return response
    const current = (carts as unknown[]).find((cart) => idOf(cart) === id)
    const first = current ?? (await readOwn(req, { cartsSlug, id, carts }))
    if (first === undefined) return response
    const others = (carts as unknown[]).filter((cart) => cart !== current)
    return withCarts(response, [first, ...others])
  }

/** Undefined for who has no session, such as an app that knows nothing of the store's pages. */
async function currentCartOf(req: PayloadRequest): Promise<DocumentId | undefined> {
  const request = addressedOf(req)
  const { user } = req
  const installed = installedIn(req.payload)
  if (!request || !user || !installed?.carts || !hasSession(request)) return undefined
  const session = (await installed.sessions.open(request)).data
  const { id, collection } = user
  const visitor = { id, collection, profile: () => Promise.resolve({}), document: { ...user } }
  const site = await installed.sites.ofRequest(request)
  return (await installed.carts.find(cartHolder(session, { visitor, site })))?.id
}

/**
 * A cart that is not on this page of the list, in the list's own form. What the customer may not read
 * themselves, such as a guest's cart that is not theirs yet, stays away: the extension could not show it.
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

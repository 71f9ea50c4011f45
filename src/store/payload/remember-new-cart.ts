import type { CollectionAfterChangeHook, PayloadRequest } from 'payload'
import type { DocumentId } from '../../commerce/order.js'
import { createOwnOrigins, isFromOwnSite } from '../../http/same-site.js'
import { installedIn } from '../../installation.js'
import { withCart } from '../../http/session-carts.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import { idOf, valueAt } from './document-value.js'
import { addressedOf, answerWithSession } from './request-session.js'

/**
 * Puts a cart that the extension's `EcommerceProvider` creates (`POST /api/carts`) into the session of
 * its visitor: without it, no page and no event would know that they have one.
 */
export const rememberNewCart =
  (options: ResolvedOptions, customersSlug: string | undefined): CollectionAfterChangeHook =>
  async ({ data, doc, operation, req }) => {
    const { id } = doc as { id: DocumentId }
    const isFromBrowser = operation === 'create' && req.payloadAPI === 'REST'
    // Not from the document, which has only what the caller selected.
    const customer = idOf(valueAt(data, options.fields.customer))
    if (isFromBrowser && isMadeForVisitor(req, customer, customersSlug)) {
      await nameInSession(req, id, options)
    }
    return doc as unknown
  }

/** Their own, or a guest's for a guest: staff make carts for other people too. */
function isMadeForVisitor(
  { user }: PayloadRequest,
  customer: DocumentId | undefined,
  customersSlug: string | undefined,
): boolean {
  if (!user) return customer === undefined
  return user.collection === customersSlug && user.id === customer
}

async function nameInSession(
  req: PayloadRequest,
  id: DocumentId,
  options: ResolvedOptions,
): Promise<void> {
  const request = addressedOf(req)
  const sessions = installedIn(req.payload)?.sessions
  const { serverURL, csrf } = req.payload.config
  // Somebody else's page must not be able to change which cart a visitor has.
  const isOwnOrigin = createOwnOrigins([serverURL, ...csrf])
  if (!request || !sessions || !isFromOwnSite(request, isOwnOrigin)) return

  const session = await sessions.open(request)
  const former = session.data.cartId
  const isKept = former !== undefined && (await isOpenWithLines(req, former, options))
  session.change(withCart(session.data, id, isKept ? former : undefined))
  await answerWithSession(req, session)
}

async function isOpenWithLines(
  req: PayloadRequest,
  id: DocumentId,
  { collections, fields }: ResolvedOptions,
): Promise<boolean> {
  const cart: unknown = await req.payload.findByID({
    collection: collections.carts,
    id,
    depth: 0,
    disableErrors: true,
    req,
  })
  const lines = valueAt(cart, fields.items)
  return Array.isArray(lines) && lines.length > 0 && valueAt(cart, 'purchasedAt') === undefined
}

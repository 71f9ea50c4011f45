import type { BasePayload, CollectionAfterChangeHook, PayloadRequest } from 'payload'
import type { DocumentId } from '../database/document-id.js'
import { createOwnOrigins, isFromOwnSite } from '../http/same-site.js'
import { type Sessions, addressedOf, answerWithSession } from '../http/session.js'
import { withCart } from './cart.js'
import { rowsOf } from './cart-documents.js'
import { readOpen } from './find-cart.js'
import { exchangeIdField } from '../orders/order-fields.js'
import type { ShopNames } from '../orders/shop-names.js'
import { idOf, valueAt } from '../payload/document-value.js'

interface NewCartParts {
  names: ShopNames
  /** Slug of the customers' collection; undefined where carts have no customers. */
  customersSlug: string | undefined
  sessionsOf: (payload: BasePayload) => Pick<Sessions, 'open'>
}

/**
 * A hook that stores a new cart in the visitor's session when the extension's `EcommerceProvider` creates
 * it (`POST /api/carts`). Otherwise the store's pages and events would not find the cart.
 */
export const rememberNewCart =
  (parts: NewCartParts): CollectionAfterChangeHook =>
  async ({ data, doc, operation, req }) => {
    const { id } = doc as { id: DocumentId }
    const isFromBrowser = operation === 'create' && req.payloadAPI === 'REST'
    // Read from `data`, as `doc` has only the fields that the caller selected.
    const customer = idOf(valueAt(data, parts.names.fields.customer))
    if (isFromBrowser && isMadeForVisitor(req, customer, parts.customersSlug)) {
      await nameInSession(req, id, parts)
    }
    return doc as unknown
  }

/** Whether the cart is the visitor's own, as staff also create carts for other people. */
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
  { names, sessionsOf }: NewCartParts,
): Promise<void> {
  const request = addressedOf(req)
  const { serverURL, csrf } = req.payload.config
  // A page of another site must not change the visitor's cart.
  const isOwnOrigin = createOwnOrigins([serverURL, ...csrf])
  if (!request || !isFromOwnSite(request, isOwnOrigin)) return

  const session = await sessionsOf(req.payload).open(request)
  const former = await readOpen({ payload: req.payload, names }, session.data.cartId, req)
  const isKept = rowsOf(former, names.fields.items).length > 0
  session.change(withCart(session.data, id, isKept ? session.data.cartId : undefined))
  const { exchangeId } = session.data
  if (exchangeId !== undefined && !req.user) {
    await req.payload.db.updateOne({
      collection: names.collections.carts,
      id,
      data: { [exchangeIdField]: exchangeId },
      returning: false,
      req,
    })
  }
  await answerWithSession(req, session)
}

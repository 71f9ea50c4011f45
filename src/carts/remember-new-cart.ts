import type { CollectionAfterChangeHook, PayloadRequest } from 'payload'
import { sqlDatabase } from '../core/database/database.js'
import type { DocumentId } from '../core/database/document-id.js'
import { noteInDocument } from '../core/database/document-tables.js'
import type { StoreConfig } from '../core/feature.js'
import type { HttpParts } from '../core/http/parts.js'
import { createOwnOrigins, isFromOwnSite } from '../core/http/public-origin.js'
import { addressedOf, answerWithSession } from '../core/http/session.js'
import { withCart } from './cart.js'
import { rowsOf } from './cart-documents.js'
import { readOpen } from './find-cart.js'
import { exchangeIdField } from '../shop/orders/order-fields.js'
import { idOf, valueAt } from '../core/payload/document-value.js'

type Store = StoreConfig<object, HttpParts>

/**
 * A hook that stores a new cart of the extension's `EcommerceProvider` (`POST /api/carts`) in the visitor's session,
 * so that the store's pages and events find it.
 */
export const rememberNewCart =
  (store: Store): CollectionAfterChangeHook =>
  async ({ data, doc, operation, req }) => {
    const { id } = doc as { id: DocumentId }
    const isFromBrowser = operation === 'create' && req.payloadAPI === 'REST'
    // Read from `data`, as `doc` has only the fields that the caller selected.
    const customer = idOf(valueAt(data, store.options.fields.customer))
    if (isFromBrowser && isMadeForVisitor(req, customer, store.customersSlug)) {
      await nameInSession(req, id, store)
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
  { options, partsOf }: Store,
): Promise<void> {
  const request = addressedOf(req)
  const { serverURL, csrf } = req.payload.config
  // A page of another site must not change the visitor's cart.
  const isOwnOrigin = createOwnOrigins([serverURL, ...csrf])
  if (!request || !isFromOwnSite(request, isOwnOrigin)) return

  const session = await (await partsOf(req.payload)).sessions.open(request)
  const former = await readOpen({ payload: req.payload, options }, session.data.cartId, req)
  const isKept = rowsOf(former, options.fields.items).length > 0
  session.change(withCart(session.data, id, isKept ? session.data.cartId : undefined))
  const { exchangeId } = session.data
  if (exchangeId !== undefined && !req.user) {
    const database = sqlDatabase(req.payload)
    const note = { slug: options.collections.carts, id, values: { [exchangeIdField]: exchangeId } }
    await noteInDocument(database, note, await database.within(req))
  }
  await answerWithSession(req, session)
}

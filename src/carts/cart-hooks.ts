import { sql } from 'drizzle-orm'
import type { CollectionAfterDeleteHook, PayloadRequest, CollectionAfterChangeHook } from 'payload'
import type { DocumentId } from '../core/database/document-id.js'
import { column, sqlDatabase } from '../core/database/database.js'
import { documentTables, noteInDocument } from '../core/database/document-tables.js'
import { mergedNumbersField, exchangeIdField } from '../shop/orders/order-fields.js'
import type { ShopNames } from '../core/shop-names.js'
import { idOf, valueAt } from '../core/payload/document-value.js'
import type { StoreConfig } from '../core/feature.js'
import type { HttpParts } from '../core/http/parts.js'
import { createOwnOrigins, isFromOwnSite } from '../core/http/public-origin.js'
import { addressedOf, answerWithSession } from '../core/http/session.js'
import { withCart } from './cart.js'
import { rowsOf } from './cart-documents.js'
import { readOpen } from './find-cart.js'

/**
 * The extension merges a guest's cart into that of the account at login, and deletes it. This hook keeps its number
 * with the other cart, so that its link leads on.
 */
export const noteMerge =
  ({ fields }: ShopNames): CollectionAfterDeleteHook =>
  async ({ collection: { slug }, doc, id, req }) => {
    const target = await mergedInto(req, { slug, id })
    if (target !== undefined) {
      const database = sqlDatabase(req.payload)
      const connection = await database.within(req)
      const noted = numbersOf(target).length
      const numbers = [...numbersOf(doc), valueAt(doc, fields.number)]
      // Payload's adapter would empty the lines of a document that comes with these texts alone.
      for (const { table, slug: own, id: key, prefix } of documentTables(database, slug)) {
        const texts = database.table(own, 'texts')
        const found = await connection.rows(sql`select ${column(table, 'id')} as "id" from ${table}
          where ${column(table, key)} = ${target.id}`)
        const rows = found.flatMap(({ id: parent }) =>
          numbers.map((text, index) => ({
            parent,
            path: `${prefix.replace('_', '.')}${mergedNumbersField}`,
            text,
            order: noted + index + 1,
          })),
        )
        if (rows.length > 0) await connection.insertIgnoring(texts, rows)
      }
    }
    return doc as unknown
  }

const numbersOf = (cart: unknown): unknown[] => [valueAt(cart, mergedNumbersField) ?? []].flat()

/** The cart into which the request merges this one. */
async function mergedInto(
  req: PayloadRequest,
  { slug, id }: { slug: string; id: DocumentId },
): Promise<(object & { id: DocumentId }) | undefined> {
  const { data, pathname, payload, routeParams } = req
  const target = idOf(routeParams?.id)
  const isMerge = pathname?.endsWith(`/${slug}/${target}/merge`) === true
  if (target === undefined || !isMerge || String(idOf(data?.sourceCartID)) !== String(id)) {
    return undefined
  }
  return (
    (await payload.findByID({
      collection: slug,
      id: target,
      depth: 0,
      disableErrors: true,
      req,
    })) ?? undefined
  )
}

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

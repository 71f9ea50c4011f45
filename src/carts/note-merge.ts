import { sql } from 'drizzle-orm'
import type { CollectionAfterDeleteHook, PayloadRequest } from 'payload'
import type { DocumentId } from '../core/database/document-id.js'
import { column, sqlDatabase } from '../core/database/database.js'
import { documentTables } from '../core/database/document-tables.js'
import { mergedNumbersField } from '../shop/orders/order-fields.js'
import type { ShopNames } from '../core/shop-names.js'
import { idOf, valueAt } from '../core/payload/document-value.js'

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

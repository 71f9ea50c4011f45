import { sql, type Column } from 'drizzle-orm'
import { createLocalReq, type BasePayload } from 'payload'
import type { DocumentId } from '../../commerce/order.js'
import type { ResolvedOptions } from '../../options/resolve-options.js'
import type { Carts } from '../carts.js'
import type { LeftCarts } from '../left-carts.js'
import { isAbleToLogIn } from './account-login.js'
import { toCart, toRows, type CartSchema } from './cart-documents.js'
import { column, optionalColumn, type Database, type PayloadTable } from './database.js'
import { setAt, valueAt } from './document-value.js'
import { withoutGone } from './payload-carts.js'

export interface LeftCartParts {
  payload: BasePayload
  database: Database
  options: ResolvedOptions
  carts: Pick<Carts, 'adopt'>
  schema: CartSchema
  /** Slug of the customers' collection; undefined where carts have no customers. */
  customersSlug: string | undefined
}

/** The extension's carts and orders, by their numbers. */
export function createLeftCarts(parts: LeftCartParts): LeftCarts {
  const { payload, database, options, carts, customersSlug } = parts
  const { collections, fields } = options
  const table = database.table(collections.carts)
  const columns = {
    id: column(table, 'id'),
    site: optionalColumn(table, fields.site),
    customer: optionalColumn(table, fields.customer),
    purchasedAt: optionalColumn(table, 'purchasedAt'),
  }
  const byNumber = (of: PayloadTable, number: string) => {
    const deletedAt = optionalColumn(of, 'deletedAt')
    const isThere = deletedAt === undefined ? sql`true` : sql`${deletedAt} is null`
    return sql`from ${of} where ${column(of, fields.number)} = ${number} and ${isThere} limit 1`
  }

  async function isOrder(number: string): Promise<boolean> {
    const rows = await database.rows(
      sql`select 1 as "found" ${byNumber(database.table(collections.orders), number)}`,
    )
    return rows.length > 0
  }

  return {
    async find(number) {
      const { id, site, customer, purchasedAt } = columns
      const [row] = await database.rows(
        sql`select ${id} as "id", ${site ?? sql`null`} as "site",
          ${customer ?? sql`null`} as "customer", ${purchasedAt ?? sql`null`} as "purchasedAt"
          ${byNumber(table, number)}`,
      )
      if (row === undefined) return (await isOrder(number)) ? 'completed' : undefined
      if (row.purchasedAt !== null) return 'completed'
      return {
        id: row.id as DocumentId,
        number,
        siteId: idIn(row.site, site),
        customerId: idIn(row.customer, customer),
      }
    },

    isAbleToLogIn: async (id) =>
      customersSlug !== undefined && isAbleToLogIn(payload, { collection: customersSlug, id }),

    isCustomer: (visitor, id) =>
      visitor !== undefined && visitor.collection === customersSlug && visitor.id === id,

    async handOver(cart, hands) {
      if (cart.customerId === undefined) await carts.adopt({ ...hands, cartId: cart.id })
    },

    async addCoupon({ id }, code) {
      const req = await createLocalReq({}, payload)
      const collection = collections.carts
      const document = await payload.findByID({
        collection,
        id,
        depth: 0,
        disableErrors: true,
        req,
      })
      if (document === null || valueAt(document, fields.discountCode) === code) return
      const data: Record<string, unknown> = {}
      setAt(data, fields.discountCode, code)
      const there = await withoutGone(toCart(document, options).lines, parts, req)
      const rows = valueAt(document, fields.items)
      if (Array.isArray(rows) && there.length < rows.length) {
        setAt(data, fields.items, toRows(there, document, options))
      }
      await payload.update({ collection, id, data, depth: 0, req })
    },
  }
}

/** An id as Payload's documents have it, which the driver may give as another type. */
const idIn = (value: unknown, of: Column | undefined): DocumentId | undefined =>
  value === null || of === undefined ? undefined : (of.mapFromDriverValue(value) as DocumentId)

import { sql, type Column, type SQL } from 'drizzle-orm'
import { createLocalReq } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import { noteInDocument } from '../../core/database/document-tables.js'
import { customerOf, readOpen, type CartHolder, type CartShop } from '../find-cart.js'
import { withoutDeletedProducts, type Carts } from '../carts.js'
import { isAbleToLogIn, setAt, valueAt } from '../../core/payload/document-value.js'
import { rowsOf, toCart, toRows, canBeBought, lineTable } from '../cart-documents.js'
import {
  column,
  columnOrNull,
  optionalColumn,
  type PayloadTable,
} from '../../core/database/database.js'
import {
  mergedNumbersField,
  restoredAtField,
  sharedAtField,
} from '../../shop/orders/order-fields.js'
import type { Visitor } from '../../core/http/visit.js'

/** A cart that a restore link names and that is not completed. */
export interface AbandonedCart {
  id: DocumentId
  number: string
  /** The site that it was created on; undefined for a cart that is older than the store's sites. */
  siteId: DocumentId | undefined
  /** The account that it belongs to; undefined for a guest's cart. */
  customerId: DocumentId | undefined
  /** A link has put it back before. */
  isRestored: boolean
  /** A link has given it to another session than that of its guest. */
  isShared: boolean
  /** It has lines, and nothing in them can be bought any more. */
  isSpent: boolean
}

export type AbandonedCarts = ReturnType<typeof createAbandonedCarts>

/** Finds and changes abandoned carts for the link that restores them. A cart's order has its number. */
export function createAbandonedCarts(shop: CartShop, carts: Carts) {
  const { payload, database, effects, log, options, customersSlug } = shop
  const { collections, fields } = options
  const table = database.table(collections.carts)
  const columns = {
    id: column(table, 'id'),
    number: column(table, fields.number),
    site: optionalColumn(table, fields.site),
    customer: optionalColumn(table, fields.customer),
    purchasedAt: optionalColumn(table, 'purchasedAt'),
    restoredAt: column(table, restoredAtField),
    sharedAt: column(table, sharedAtField),
  }
  const lines = lineTable(database, options)
  const ofCart =
    lines && sql`select 1 from ${lines} where ${column(lines, '_parentID')} = ${columns.id}`
  const isSpent = lines
    ? sql`exists (${ofCart}) and not exists (${ofCart} and ${canBeBought(database, lines, shop.schema)})`
    : sql`false`
  const texts = database.table(collections.carts, 'texts')
  const where = (of: PayloadTable, condition: SQL) => {
    const deletedAt = optionalColumn(of, 'deletedAt')
    const isThere = deletedAt === undefined ? sql`true` : sql`${deletedAt} is null`
    return sql`from ${of} where ${condition} and ${isThere} limit 1`
  }
  const has = (of: PayloadTable, number: string) => sql`${column(of, fields.number)} = ${number}`
  const isMergedInto = (number: string) =>
    sql`${columns.id} = (select ${columnOrNull(texts, 'parent')} from ${texts}
      where ${columnOrNull(texts, 'text')} = ${number}
        and ${columnOrNull(texts, 'path')} = ${mergedNumbersField} limit 1)`

  const cartWhere = async (condition: SQL): Promise<AbandonedCart | 'completed' | undefined> => {
    const { id, number, site, customer, purchasedAt, restoredAt, sharedAt } = columns
    const [row] = await database.rows(
      sql`select ${id} as "id", ${number} as "number", ${site ?? sql`null`} as "site",
        ${customer ?? sql`null`} as "customer", ${purchasedAt ?? sql`null`} as "purchasedAt",
        ${restoredAt} as "restoredAt", ${sharedAt} as "sharedAt", ${isSpent} as "isSpent"
        ${where(table, condition)}`,
    )
    if (row === undefined) return undefined
    if (row.purchasedAt !== null) return 'completed'
    return {
      id: row.id as DocumentId,
      number: String(row.number),
      siteId: idIn(row.site, site),
      customerId: idIn(row.customer, customer),
      isRestored: row.restoredAt !== null,
      isShared: row.sharedAt !== null,
      isSpent: Boolean(row.isSpent),
    }
  }

  /** The cart is restored also where this cannot be written. */
  const noteRestored = async (cart: AbandonedCart, isShared: boolean): Promise<void> => {
    const now = effects.now().toISOString()
    const values = {
      ...(!cart.isRestored && { [restoredAtField]: now }),
      ...(isShared && !cart.isShared && { [sharedAtField]: now }),
    }
    if (Object.keys(values).length === 0) return
    try {
      await noteInDocument(database, { slug: collections.carts, id: cart.id, values })
    } catch (error) {
      log.warn({ err: error, cartId: cart.id }, 'The moment of a restore could not be noted')
    }
  }

  return {
    /**
     * Finds a cart by its number, or the one that it was merged into. `completed` when it was bought or became an
     * order.
     */
    async find(number: string): Promise<AbandonedCart | 'completed' | undefined> {
      const own = await cartWhere(has(table, number))
      if (own !== undefined) return own
      const orders = database.table(collections.orders)
      const found = await database.rows(
        sql`select 1 as "found" ${where(orders, has(orders, number))}`,
      )
      return found.length > 0 ? 'completed' : cartWhere(isMergedInto(number))
    },

    /** Whether somebody can log in to this account. */
    isAbleToLogIn: async (id: DocumentId): Promise<boolean> =>
      customersSlug !== undefined && isAbleToLogIn(payload, { collection: customersSlug, id }),

    /** Whether the visitor is logged in to this account. */
    isCustomer: (visitor: Visitor, id: DocumentId): boolean => customerOf(visitor, shop) === id,

    /**
     * Makes a guest's cart the customer's, and notes its first restore and its first one in another session than its
     * guest's.
     */
    async handOver(cart: AbandonedCart, holder: CartHolder): Promise<void> {
      const { cartId, formerCartIds = [] } = holder
      const isShared = cart.isShared || ![cartId, ...formerCartIds].includes(cart.id)
      await noteRestored(cart, isShared)
      if (cart.customerId === undefined) await carts.adopt({ ...holder, cartId: cart.id })
    },

    /** Writes a discount code on the cart. Writing it again changes nothing. */
    async addCoupon({ id }: AbandonedCart, code: string): Promise<void> {
      const req = await createLocalReq({}, payload)
      const document = await readOpen(shop, id, req)
      if (document === undefined || valueAt(document, fields.discountCode) === code) return
      const data: Record<string, unknown> = {}
      setAt(data, fields.discountCode, code)
      const there = await withoutDeletedProducts(toCart(document, options).lines, shop, req)
      if (there.length < rowsOf(document, fields.items).length) {
        setAt(data, fields.items, toRows(there, document, options))
      }
      await payload.update({ collection: collections.carts, id, data, depth: 0, req })
    },
  }
}

/** The id in the type that Payload's documents have, as the driver may return another type. */
const idIn = (value: unknown, of: Column | undefined): DocumentId | undefined =>
  value === null || of === undefined ? undefined : (of.mapFromDriverValue(value) as DocumentId)

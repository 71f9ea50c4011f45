import { sql } from 'drizzle-orm'
import { column } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { Shop } from '../../core/shop.js'
import { reportedCondition } from '../../shop/orders/order-reader.js'
import { noticesSlug } from '../notice/notice-collection.js'

/** The states that parcels got into, for whoever tells of them. The orders themselves do not change. */
export function createMovedParcels(shop: Shop) {
  const { database, options } = shop
  const notices = database.table(noticesSlug)
  const states = database.table(noticesSlug, 'states')
  const orders = database.table(options.collections.orders)
  const id = column(orders, 'id')
  return {
    /** The rows, and when each was stored. */
    rows: { table: states, at: column(states, 'receivedAt') },
    /** The orders of some of these rows, without drafts and others that nobody hears of. */
    async ordersOf(ids: readonly DocumentId[]): Promise<DocumentId[]> {
      const found = await database.rows(sql`select distinct ${id} as "id" from ${states}
        join ${notices} on ${column(notices, 'id')} = ${column(states, '_parentID')}
        join ${orders} on ${id} = ${column(notices, 'order')}
        where ${database.isOneOf(column(states, 'id'), ids)} and ${reportedCondition(shop)}`)
      return found.map((row) => row.id as DocumentId)
    },
  }
}

export type MovedParcels = ReturnType<typeof createMovedParcels>

import { sql } from 'drizzle-orm'
import type { DocumentId } from '../../../commerce/order.js'
import type { ResolvedOptions } from '../../../options/resolve-options.js'
import type { OrderLook } from '../../order-look.js'
import { column, type Database } from '../database.js'
import { orderCondition } from '../order-condition.js'

/** Looks at the orders by the same condition and in the same order as the export lists them. */
export function createOrderLook(
  database: Database,
  { collections }: Pick<ResolvedOptions, 'collections'>,
): OrderLook {
  const orders = database.table(collections.orders)
  const id = column(orders, 'id')
  const updatedAt = column(orders, 'updatedAt')
  const everything = { window: undefined, store: undefined }

  return {
    async matches(selection, most) {
      const condition = orderCondition(orders, selection)
      const [[counted], first] = await Promise.all([
        database.rows(sql`select count(*) as "total" from ${orders} where ${condition}`),
        database.rows(sql`select ${id} as "id" from ${orders}
          where ${condition} order by ${updatedAt}, ${id} limit ${most}`),
      ])
      return {
        total: Number(counted?.total ?? 0),
        ids: first.map((row) => row.id as DocumentId),
      }
    },
    async isListed(orderId) {
      const found = await database.rows(sql`select ${id} as "id" from ${orders}
        where ${id} = ${orderId} and ${orderCondition(orders, everything)}`)
      return found.length > 0
    },
  }
}

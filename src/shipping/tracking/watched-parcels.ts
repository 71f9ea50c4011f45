import { sql } from 'drizzle-orm'
import { column, momentOf } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { countedAtMost, ordersNamed, type NamedOrder } from '../../core/matter.js'
import type { Shop } from '../../core/shop.js'
import type { ParcelState } from '../../shop/orders/parcel-state.js'
import { orderCondition } from '../../shop/orders/order-reader.js'
import { noticesSlug } from '../notice/notice-collection.js'

export type WatchedParcels = ReturnType<ReturnType<typeof createWatchedParcels>>

/** Reads which parcels a merchant must care about. */
export function createWatchedParcels(shop: Shop) {
  const { database, options } = shop
  const notices = database.table(noticesSlug)
  const orders = database.table(options.collections.orders)
  const of = (name: string) => column(notices, name)

  /** The parcels that were last reported between two moments, and are in one of these states: the longest ago first. */
  async function parcels({
    states,
    after,
    until,
  }: {
    states: readonly ParcelState[]
    after: Date
    until: Date
  }) {
    const rows = await database.rows(sql`select ${of('order')} as "id", ${of('movedAt')} as "at",
        ${of('reference')} as "reference", ${of('trackingNumber')} as "tracking"
      from ${notices} join ${orders} on ${column(orders, 'id')} = ${of('order')}
      where ${of('movedAt')} > ${after.toISOString()} and ${of('movedAt')} < ${until.toISOString()}
        and ${database.isOneOf(sql`cast(${of('state')} as text)`, states)} and ${orderCondition(shop)}
      order by ${of('movedAt')}, ${of('id')} limit ${countedAtMost}`)
    return {
      count: rows.length,
      since: momentOf(rows[0]?.at),
      orders: rows.slice(0, ordersNamed).map(({ id, reference, tracking }): NamedOrder => ({
        id: id as DocumentId,
        number: `${String(reference)} (${String(tracking)})`,
      })),
    }
  }
  return ({ isOn }: { isOn: boolean }) => ({ isOn, parcels })
}

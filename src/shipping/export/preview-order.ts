import { sql } from 'drizzle-orm'
import { column } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { orderCondition } from '../../shop/orders/order-reader.js'
import type { ShipmentLog } from '../notice/shipment-log.js'
import { withFurtherFields, type FurtherFields } from './further-fields.js'
import { ordersXml } from './order-xml.js'
import type { SkipReason } from './skip-reason.js'
import type { OrderParts } from '../../shop/orders/parts.js'
import type { Shop } from '../../core/shop.js'
import type { ShippingShop } from '../shipping-options.js'
import { validateOrders } from './validate-orders.js'

export type OrderPreview =
  | { is: 'not-found' }
  | { is: 'left-out'; reference: string; reasons: SkipReason[] }
  | { is: 'exported'; reference: string; xml: string }

export type PreviewOrder = ReturnType<typeof createOrderPreview>

/**
 * Shows one order as ShipStation would get it, and stores nothing. The request's origin
 * completes the paths of pictures when the shop's own URL is not known.
 */
export function createOrderPreview(
  shop: ShippingShop,
  { reader }: OrderParts,
  { shipments, settings }: { shipments: ShipmentLog; settings: () => Promise<FurtherFields> },
) {
  return async (text: string, origin: string): Promise<OrderPreview> => {
    const found = await shipments.findOrder(text)
    if (found === undefined) return { is: 'not-found' }
    if (!(await isListed(shop, found.id))) {
      return { is: 'left-out', reference: found.reference, reasons: [{ code: 'NOT_LISTED' }] }
    }
    const further = await settings()
    const { orders, passed, skipped } = await validateOrders(
      [found.id],
      shop,
      withFurtherFields(shop, reader, further),
    )
    const reasons = skipped[0]?.reasons
    const reference = orders[0]?.reference ?? skipped[0]?.reference
    if (reference === undefined) return { is: 'not-found' }
    if (reasons !== undefined) return { is: 'left-out', reference, reasons }
    const baseUrl = shop.payload.config.serverURL || origin
    const exported = passed.map(({ order }) => order)
    const xml = ordersXml({ orders: exported, pages: 1, baseUrl, further })
    return { is: 'exported', reference, xml: new TextDecoder().decode(xml) }
  }
}

/** Whether an export without a window has the order. It has no drafts and nothing in the trash. */
async function isListed(shop: Shop, orderId: DocumentId) {
  const { database, options } = shop
  const orders = database.table(options.collections.orders)
  const found = await database.rows(sql`select 1 from ${orders}
    where ${column(orders, 'id')} = ${orderId} and ${orderCondition(shop)}`)
  return found.length > 0
}

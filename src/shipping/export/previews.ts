import { sql } from 'drizzle-orm'
import { column } from '../../core/database/database.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { orderCondition, type OrderFilter } from '../../shop/orders/order-reader.js'
import type { ShipmentLog } from '../notice/shipment-log.js'
import { withFurtherFields } from './further-fields.js'
import { ordersXml } from './order-xml.js'
import type { SkipReason } from './skip-reason.js'
import type { OrderParts } from '../../shop/orders/parts.js'
import { homeUrl } from '../../shop/sites/home-url.js'
import type { Shop } from '../../core/shop.js'
import type { ShippingShop } from '../shipping-options.js'
import { validateOrders } from './validate-orders.js'
import type { ParameterTree } from '../../core/http/parameters.js'
import type { ShippingSettings } from '../shipping-settings.js'
import { selectOrders } from './select-orders.js'

export type OrderPreview =
  | { is: 'not-found' }
  | { is: 'left-out'; reference: string; reasons: SkipReason[] }
  | { is: 'exported'; reference: string; xml: string }

export type PreviewOrder = ReturnType<typeof createOrderPreview>

/**
 * Shows one order as ShipStation would get it. The origin completes the paths of pictures where the shop has no URL.
 */
export function createOrderPreview(
  shop: ShippingShop,
  { reader }: OrderParts,
  { shipments, settings }: { shipments: ShipmentLog; settings: () => Promise<ShippingSettings> },
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
    const baseUrl = homeUrl(shop.payload) || origin
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

const shownAtMost = 10

export type PreviewWindow = ReturnType<typeof createWindowPreview>

export type WindowPreview = Awaited<ReturnType<PreviewWindow>>

/**
 * Shows which orders an export with these parameters would match. It fixes no list, so it disturbs no pull.
 *
 * @throws {Problem} STORE_FIELD_NOT_FOUND as the export does.
 */
export const createWindowPreview =
  (shop: ShippingShop, { reader }: OrderParts, settings: () => Promise<ShippingSettings>) =>
  async (tree: ParameterTree) => {
    const { selection, timezone } = await selectOrders(tree, await settings(), shop)
    const { total, ids } = await findOrders(shop, selection)
    const { orders, skipped } = await validateOrders(ids, shop, reader)
    const read = orders.map(({ id, reference, updatedAt }) => {
      return { id, reference, updatedAt, reasons: [] }
    })
    const leftOut = skipped.map(({ orderId: id, reference, changedAt: updatedAt, reasons }) => {
      return { id, reference, updatedAt, reasons }
    })
    // Of two rows of an order, the later one with its reasons counts.
    const rowOf = new Map([...read, ...leftOut].map((row) => [row.id, row]))
    return {
      /** Exclusive bounds. Undefined: one of the dates is missing or cannot be read, so all times match. */
      window: selection.window,
      timezone,
      /** The value of the store field. Undefined: orders with any value. */
      store: selection.store?.value,
      total,
      pages: Math.ceil(total / selection.pageSize),
      /** The first orders in the export's order, with the reasons why the export leaves one out. */
      orders: ids.flatMap((id) => rowOf.get(id) ?? []),
    }
  }

async function findOrders(shop: Shop, selection: OrderFilter) {
  const { database, options } = shop
  const orders = database.table(options.collections.orders)
  const id = column(orders, 'id')
  const condition = orderCondition(shop, selection)
  const [total, first] = await Promise.all([
    database.count(sql`${orders} where ${condition}`),
    database.rows(sql`select ${id} as "id" from ${orders}
      where ${condition} order by ${column(orders, 'updatedAt')}, ${id} limit ${shownAtMost}`),
  ])
  return { total, ids: first.map((row) => row.id as DocumentId) }
}

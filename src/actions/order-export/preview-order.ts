import type { OrderLook } from '../../store/order-look.js'
import type { OrderReader } from '../../store/order-reader.js'
import type { ShipmentLog } from '../../store/shipment-log.js'
import { judgeOrder, type JudgeParts } from './judge-order.js'
import { ordersXml } from './order-xml.js'
import { unfinishedOrders } from './unfinished-orders.js'

export type OrderPreview =
  | { is: 'not-found' }
  /** The export would leave it out, for these reasons. */
  | { is: 'left-out'; reference: string; reasons: string[] }
  | { is: 'exported'; reference: string; xml: string }

/** Shows one order as the shipping platform would get it. Notes and changes nothing. */
export type PreviewOrder = (
  reference: string,
  /** Origin of the request, for pictures where the shop's own address is not known. */
  origin: string,
) => Promise<OrderPreview>

export interface OrderPreviewParts extends JudgeParts {
  shipments: Pick<ShipmentLog, 'findOrder'>
  reader: OrderReader
  look: OrderLook
  /** The shop's own address; empty when not known. */
  baseUrl: string
}

export function createOrderPreview(parts: OrderPreviewParts): PreviewOrder {
  const { shipments, reader, look, baseUrl } = parts
  return async (text, origin) => {
    const found = await shipments.findOrder(text)
    if (found === undefined) return { is: 'not-found' }
    const ids = [found.id]
    const orders = await reader.read(ids)
    const [order] = orders
    if (order === undefined) {
      const [unfinished] = await unfinishedOrders(reader, { ids, orders })
      return unfinished ? { is: 'left-out', ...unfinished } : { is: 'not-found' }
    }
    const { reference } = order
    if (!(await look.isListed(order.id))) {
      return { is: 'left-out', reference, reasons: ['It is a draft, or in the trash.'] }
    }
    const verdict = await judgeOrder(order, parts)
    if (verdict.order === undefined) {
      return { is: 'left-out', reference, reasons: verdict.reasons }
    }
    const xml = ordersXml({ orders: [verdict.order], pages: 1, baseUrl: baseUrl || origin })
    return { is: 'exported', reference, xml }
  }
}

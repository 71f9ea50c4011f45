import type { DocumentId, Order } from '../../commerce/order.js'
import { Problem } from '../../errors.js'
import type { Omission, OmissionRecord } from '../../store/omission-record.js'
import type { OrderList, OrderSelection } from '../../store/order-list.js'
import type { OrderReader } from '../../store/order-reader.js'
import { judgeOrder, omissionOf, type JudgeParts } from './judge-order.js'
import { unfinishedOrders } from './unfinished-orders.js'

export interface ExportParts extends JudgeParts {
  list: OrderList
  reader: OrderReader
  omissions: OmissionRecord
}

export interface ExportedPage {
  pages: number
  orders: Order[]
}

/**
 * One page of the export: the orders that pass, in order. Those that do not are recorded for the
 * merchant and logged.
 *
 * @throws {Problem} ORDER_NOT_VALID when an order fails and `failOnInvalidOrder` is on.
 */
export async function exportOrders(
  parts: ExportParts,
  request: { selection: OrderSelection; page: number; failOnInvalidOrder: boolean },
): Promise<ExportedPage> {
  const { pages, ids } = await parts.list.page(request.selection, request.page)
  const passed: Order[] = []
  const passedIds: DocumentId[] = []
  const failures: Omission[] = []

  const orders = await parts.reader.read(ids)
  failures.push(...(await unfinishedOrders(parts.reader, { ids, orders })))
  for (const order of orders) {
    const verdict = await judgeOrder(order, parts)
    if (verdict.order) {
      passed.push(verdict.order)
      passedIds.push(order.id)
    } else {
      failures.push(omissionOf(order, verdict))
    }
  }

  for (const { reference, reasons } of failures) {
    parts.log.warn({ reference, reasons }, 'Order left out of the export')
  }
  await parts.omissions.update({ passed: passedIds, omitted: failures })
  const failure = failures.find(({ isFailure }) => isFailure)
  if (request.failOnInvalidOrder && failure) {
    const { reference, reasons } = failure
    throw new Problem('ORDER_NOT_VALID', { log: { reference, reasons } })
  }
  return { pages, orders: passed }
}

import type { DocumentId } from '../../database/document-id.js'
import { Problem } from '../../errors.js'
import { xmlReply } from '../../http/reply.js'
import type { Order } from '../../orders/order.js'
import type { ShipStationRequests } from '../shipstation-requests.js'
import type { ShippingHandler } from '../shipping-action.js'
import type { OrderList } from './fixed-order-list.js'
import { ordersXml } from './order-xml.js'
import { englishReason } from './skip-reason.js'
import { selectOrders, type SelectionParts } from './select-orders.js'
import type { SkippedOrders } from './skipped-orders.js'
import { validateOrders, type ValidationParts } from './validate-orders.js'

interface CheckParts extends ValidationParts {
  skippedOrders: SkippedOrders
}

interface ExportParts extends CheckParts, SelectionParts {
  list: OrderList
  /** The shop's own URL, for pictures of an order without a site; empty when not known. */
  baseUrl: string
  shipStation: ShipStationRequests
}

/** `action=export`: a page of completed orders as XML. */
export function createOrderExport(parts: ExportParts): ShippingHandler {
  const { list, shipStation, log, now } = parts
  return async ({ parameters, settings, visit }) => {
    const { page, selection } = selectOrders(parameters.tree, settings, parts)
    const { pages, ids } = await list.page(selection, page)
    const orders = await checkedOrders(ids, parts, settings)
    if (page === 1) await shipStation.pulled({ at: now(), orders: orders.length, pages })
    const baseUrl = parts.baseUrl || new URL(visit.request.url).origin
    const { requestId } = visit
    log.info({ requestId, page, pages, orders: orders.length }, 'Orders exported')
    return xmlReply(ordersXml({ orders, pages, baseUrl }))
  }
}

/**
 * The orders of these ids that pass validation. Skipped orders are recorded for the merchant and logged.
 *
 * @throws {Problem} ORDER_NOT_VALID when an order fails and `failOnInvalidOrder` is on.
 */
async function checkedOrders(
  ids: readonly DocumentId[],
  parts: CheckParts,
  { failOnInvalidOrder }: { failOnInvalidOrder: boolean },
): Promise<Order[]> {
  const { skippedOrders, log } = parts
  const { passed, skipped } = await validateOrders(ids, parts)
  for (const { reference, reasons } of skipped) {
    const sentences = reasons.map(englishReason)
    log.warn({ reference, reasons: sentences }, 'Order left out of the export')
  }
  await skippedOrders.update({ passed, skipped })
  const failure = skipped.find(({ isFailure }) => isFailure)
  if (failOnInvalidOrder && failure) {
    const { reference, reasons } = failure
    throw new Problem('ORDER_NOT_VALID', {
      log: { reference, reasons: reasons.map(englishReason) },
    })
  }
  return passed.map(({ order }) => order)
}

/** A limit, so that the merchant's page opens fast. The rest is checked when it is opened again. */
const recheckedAtOnce = 25

/** Validates skipped orders again that were changed since, so that corrected ones leave the list. */
export function createRecheck(parts: CheckParts) {
  const { skippedOrders } = parts
  return async (which: { failuresOnly: boolean }): Promise<void> => {
    const ids = await skippedOrders.changedSince(recheckedAtOnce, which)
    if (ids.length === 0) return
    await skippedOrders.update(await validateOrders(ids, parts))
  }
}

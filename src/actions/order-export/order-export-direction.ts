import { xmlReply } from '../../http/reply.js'
import type { PlatformVisits } from '../../store/platform-visits.js'
import type { ShippingDirection } from '../shipping/shipping-action.js'
import { exportOrders, type ExportParts } from './export-orders.js'
import { selectOrders, type SelectionParts } from './select-orders.js'
import { ordersXml } from './order-xml.js'

/** `action=export`: a page of completed orders as XML. */
export function createOrderExport(
  parts: ExportParts &
    SelectionParts & {
      /** The shop's own address, for pictures whose order has no site; empty when not known. */
      baseUrl: string
      visits: Pick<PlatformVisits, 'pulled'>
    },
): ShippingDirection {
  return async ({ parameters, settings, visit }) => {
    const { query, selection } = selectOrders(parameters.tree, settings, parts)
    const { page } = query
    const { pages, orders } = await exportOrders(parts, {
      selection,
      page,
      failOnInvalidOrder: settings.failOnInvalidOrder,
    })
    if (page === 1) await note(parts, { orders: orders.length, pages })
    const baseUrl = parts.baseUrl || new URL(visit.request.url).origin
    parts.log.info(
      { requestId: visit.requestId, page, pages, orders: orders.length },
      'Orders exported',
    )
    return xmlReply(ordersXml({ orders, pages, baseUrl }))
  }
}

/** The merchant's page lacks a moment then; the platform has its orders all the same. */
async function note(
  {
    visits,
    log,
    now,
  }: { visits: Pick<PlatformVisits, 'pulled'> } & Pick<ExportParts, 'log'> & SelectionParts,
  page: { orders: number; pages: number },
): Promise<void> {
  try {
    await visits.pulled({ at: now(), ...page })
  } catch (error) {
    log.warn({ err: error }, 'The pull of the shipping platform could not be noted')
  }
}

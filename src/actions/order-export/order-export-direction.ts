import { Problem } from '../../errors.js'
import { xmlReply } from '../../http/reply.js'
import type { ShippingDirection } from '../shipping/shipping-action.js'
import { exportOrders, type ExportParts } from './export-orders.js'
import { readExportQuery } from './export-query.js'
import { ordersXml } from './order-xml.js'

/** `action=export`: a page of completed orders as XML. */
export function createOrderExport(
  parts: ExportParts & {
    timezone: string
    now: () => Date
    /** The shop's own address, for pictures whose order has no site; empty when not known. */
    baseUrl: string
    /** Whether the orders have a dropdown field of this name. */
    hasStoreField: (field: string) => boolean
  },
): ShippingDirection {
  return async ({ parameters, settings, visit }) => {
    const timezone = settings.readDatesAsUtc ? 'UTC' : parts.timezone
    const query = readExportQuery(parameters.tree, { timezone, now: parts.now() })
    const field = settings.storeField
    if (field !== '' && !parts.hasStoreField(field)) {
      throw new Problem('SETTING_BLANK', { log: { setting: 'storeField', field } })
    }

    const { pages, orders } = await exportOrders(parts, {
      selection: {
        window: query.window,
        store:
          field === '' || query.store === undefined ? undefined : { field, value: query.store },
        pageSize: settings.pageSize,
      },
      page: query.page,
      failOnInvalidOrder: settings.failOnInvalidOrder,
    })
    const baseUrl = parts.baseUrl || new URL(visit.request.url).origin
    parts.log.info(
      { requestId: visit.requestId, page: query.page, pages, orders: orders.length },
      'Orders exported',
    )
    return xmlReply(ordersXml({ orders, pages, baseUrl }))
  }
}

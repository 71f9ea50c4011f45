import { DateTime } from 'luxon'
import type { ShipmentNotice } from '../../commerce/shipment-notice.js'
import { Problem } from '../../errors.js'
import { textParameter, type RequestParameters } from '../../http/parameters.js'
import { readShipNotice, type ShipNotice } from './ship-notice-xml.js'

export interface NoticeQuery {
  orderNumber: string
  notice: ShipmentNotice
}

/**
 * What the platform says was shipped: from the parameters, and from the ShipNotice body where a
 * parameter is absent. The platform sends `service=` empty and the service in the body, so an empty
 * carrier, service or tracking number counts as absent; an empty `order_number` is an error.
 *
 * @throws {Problem} ORDER_NUMBER_MISSING or PARAMETER_INVALID.
 */
export function readNoticeQuery({ tree, xml }: RequestParameters): NoticeQuery {
  const body: ShipNotice = xml === undefined ? {} : readShipNotice(xml)
  const parameter = (name: string) => textParameter(tree, name)?.trim()

  const orderNumber = parameter('order_number') ?? body.OrderNumber ?? ''
  if (orderNumber === '') throw new Problem('ORDER_NUMBER_MISSING')
  return {
    orderNumber,
    notice: {
      carrier: parameter('carrier') || (body.Carrier ?? ''),
      service: parameter('service') || (body.Service ?? ''),
      trackingNumber: parameter('tracking_number') || (body.TrackingNumber ?? ''),
      shipDate: readDay(body.ShipDate),
      shippingCost: body.ShippingCost || undefined,
      lines: (body.Items?.Item ?? []).map((line) => ({
        sku: line.SKU ?? '',
        name: line.Name ?? '',
        quantity: readQuantity(line.Quantity),
      })),
    },
  }
}

/** Zero when it is no number that can be kept. */
function readQuantity(text: string | undefined): number {
  const quantity = Number(text ?? '')
  return Number.isFinite(quantity) ? quantity : 0
}

/** The platform's `12/8/2011` as `2011-12-08`; undefined when it is no such day. */
function readDay(text: string | undefined): string | undefined {
  const day = DateTime.fromFormat(text?.split(' ')[0] ?? '', 'M/d/yyyy', { zone: 'utc' })
  return day.isValid ? day.toISODate() : undefined
}

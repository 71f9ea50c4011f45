import { XMLBuilder } from 'fast-xml-parser'
import type { Recipient } from './exported-orders.js'
import { minuteText } from './utc-text.js'

export interface ShippedItem {
  sku: string
  name: string
  quantity: number
  /** Comes back only when the shop exported one. */
  lineItemId?: string
}

export interface Shipment {
  orderNumber: string
  carrier: string
  service: string
  trackingNumber: string
  orderId?: string
  customerCode?: string
  recipient?: Recipient
  items?: readonly ShippedItem[]
}

const builder = new XMLBuilder({ ignoreAttributes: false, format: true, indentBy: '' })

/**
 * The body of the notice of a shipment whose label is made `now`, in the order of ShipStation's own example:
 * https://www.shipstation.com/docs/custom-store/v1/reference/notify/
 */
export const shipNotice = (shipment: Shipment, now: Date): string =>
  builder.build({
    '?xml': { '@_version': '1.0', '@_encoding': 'utf-8' },
    ShipNotice: {
      OrderNumber: shipment.orderNumber,
      OrderID: shipment.orderId ?? '',
      CustomerCode: shipment.customerCode ?? '',
      NotifyCustomer: '',
      LabelCreateDate: minuteText(now),
      ShipDate: minuteText(now).slice(0, '03/10/2026'.length),
      Carrier: shipment.carrier,
      Service: shipment.service,
      TrackingNumber: shipment.trackingNumber,
      ShippingCost: '0.00',
      Recipient: shipment.recipient ?? '',
      Items: {
        Item: (shipment.items ?? []).map(({ lineItemId, sku, name, quantity }) => ({
          ...(lineItemId && { LineItemID: lineItemId }),
          SKU: sku,
          Name: name,
          Quantity: quantity,
        })),
      },
    },
  })

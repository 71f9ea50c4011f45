import { shipNoticeXml, type Recipient, type ShippedItem } from './ship-notice-xml.ts'

export interface Shipment {
  orderNumber: string
  carrier: string
  service: string
  trackingNumber: string
  orderId?: string
  customerCode?: string
  /** Default: now. */
  shipDate?: Date
  /** Default: 0. */
  shippingCost?: number
  recipient?: Partial<Recipient>
  items?: readonly ShippedItem[]
  /** `false`: ShipStation mails the customer itself. Default: not said. */
  notifyCustomer?: boolean
  /** Leaves `service=` empty in the query, as the real ShipStation does at times. Default: false. */
  serviceInBodyOnly?: boolean
}

const NOBODY: Recipient = {
  name: '',
  company: '',
  address1: '',
  address2: '',
  city: '',
  state: '',
  postalCode: '',
  country: '',
}

/** The body of the notification of a shipment whose label is made `now`. */
export const noticeBody = (shipment: Shipment, now: Date): string =>
  shipNoticeXml({
    orderNumber: shipment.orderNumber,
    orderId: shipment.orderId ?? '',
    customerCode: shipment.customerCode ?? '',
    carrier: shipment.carrier,
    service: shipment.service,
    trackingNumber: shipment.trackingNumber,
    labelCreatedAt: now,
    shipDate: shipment.shipDate ?? now,
    shippingCost: shipment.shippingCost ?? 0,
    notifyCustomer: shipment.notifyCustomer,
    recipient: { ...NOBODY, ...shipment.recipient },
    items: shipment.items ?? [],
  })

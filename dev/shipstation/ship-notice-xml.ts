import { dayText, minuteText } from './date-text.ts'

export interface ShippedItem {
  sku: string
  name: string
  quantity: number
  /** Comes back only when the shop exported one. */
  lineItemId?: string
}

export interface Recipient {
  name: string
  company: string
  address1: string
  address2: string
  city: string
  state: string
  postalCode: string
  country: string
}

export interface ShipNotice {
  orderNumber: string
  orderId: string
  customerCode: string
  carrier: string
  service: string
  trackingNumber: string
  labelCreatedAt: Date
  shipDate: Date
  /** In the shop's currency, two decimals. */
  shippingCost: number
  /** `false`: ShipStation mails the customer itself. `undefined`: it does not say. */
  notifyCustomer: boolean | undefined
  recipient: Recipient
  items: readonly ShippedItem[]
}

/**
 * The body of a shipment notification, elements in the order of ShipStation's own example:
 * https://www.shipstation.com/docs/custom-store/v1/reference/notify/
 */
export const shipNoticeXml = (notice: ShipNotice): string =>
  '<?xml version="1.0" encoding="utf-8"?>\n' +
  element('ShipNotice', [
    textElement('OrderNumber', notice.orderNumber),
    textElement('OrderID', notice.orderId),
    textElement('CustomerCode', notice.customerCode),
    textElement('NotifyCustomer', notice.notifyCustomer?.toString() ?? ''),
    textElement('LabelCreateDate', minuteText(notice.labelCreatedAt)),
    textElement('ShipDate', dayText(notice.shipDate)),
    textElement('Carrier', notice.carrier),
    textElement('Service', notice.service),
    textElement('TrackingNumber', notice.trackingNumber),
    textElement('ShippingCost', notice.shippingCost.toFixed(2)),
    recipientXml(notice.recipient),
    element('Items', notice.items.map(itemXml)),
  ])

const recipientXml = (recipient: Recipient): string =>
  element('Recipient', [
    textElement('Name', recipient.name),
    textElement('Company', recipient.company),
    textElement('Address1', recipient.address1),
    textElement('Address2', recipient.address2),
    textElement('City', recipient.city),
    textElement('State', recipient.state),
    textElement('PostalCode', recipient.postalCode),
    textElement('Country', recipient.country),
  ])

const itemXml = (item: ShippedItem): string =>
  element('Item', [
    ...(item.lineItemId ? [textElement('LineItemID', item.lineItemId)] : []),
    textElement('SKU', item.sku),
    textElement('Name', item.name),
    textElement('Quantity', String(item.quantity)),
  ])

const element = (name: string, children: readonly string[]): string =>
  `<${name}>\n${children.join('')}</${name}>\n`

const textElement = (name: string, value: string): string =>
  `<${name}>${escaped(value)}</${name}>\n`

const REFERENCES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A reader turns a bare carriage return into a line feed (XML 1.0, 2.11).
  '\r': '&#13;',
}

const escaped = (value: string): string =>
  value
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"'\r]/g, (character) => REFERENCES[character] ?? '')

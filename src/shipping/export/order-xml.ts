import { decimalAmount } from '../../shop/orders/money.js'
import type { Address, LineItem, Order } from '../../shop/orders/order.js'
import { imageUrl } from '../../shop/orders/line-snapshot.js'
import type { ShippingSettings } from '../shipping-settings.js'
import { isBlank, lengths, xmlText } from '../xml-text.js'

const units = new Map([
  ['g', { unit: 'Grams', factor: 1 }],
  ['kg', { unit: 'Grams', factor: 1000 }],
  ['oz', { unit: 'Ounces', factor: 1 }],
  ['lb', { unit: 'Pounds', factor: 1 }],
])

/** Converts kilograms to grams, as ShipStation has no kilograms. An unknown unit counts as grams. */
export function exportWeight(weight: number, weightUnit: string) {
  const { unit, factor } = units.get(weightUnit.toLowerCase()) ?? { unit: 'Grams', factor: 1 }
  return { amount: weight * factor, unit }
}

/**
 * Writes a page of orders. The elements and their order are those of `docs/interface.md` (Exported order); the
 * lengths are those of ShipStation's published schema, or shorter where that page says so.
 */
export function ordersXml(page: {
  orders: readonly Order[]
  pages: number
  /** Completes a picture's path; empty when the shop's address is not known. */
  baseUrl: string
  /** What is written besides what the interface names; nothing when it is absent. */
  further?: Pick<ShippingSettings, 'furtherFields' | 'dimensions'>
}): Uint8Array<ArrayBuffer> {
  return Buffer.concat([
    Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<Orders pages="${page.pages}">\n`),
    // As bytes at once: the strings of a whole page would keep the garbage collector busy.
    ...page.orders.map((order) => Buffer.from(orderXml(order, page))),
    Buffer.from('</Orders>\n'),
  ])
}

/** One `Order` element and a line feed. */
function orderXml(order: Order, page: WrittenPage): string {
  const money = (minorUnits: number) => decimalAmount(minorUnits, order.currency)
  const { shippingAddress, billingAddress = shippingAddress } = order
  return (
    '<Order>' +
    element('OrderID', String(order.id), 50) +
    element('OrderNumber', order.reference, lengths.number) +
    element('OrderStatus', order.status, 50) +
    `<OrderTotal>${money(order.total)}</OrderTotal>` +
    `<TaxAmount>${money(order.taxAmount)}</TaxAmount>` +
    `<ShippingAmount>${money(order.shippingAmount)}</ShippingAmount>` +
    `<LastModified>${exportDate(order.updatedAt)}</LastModified>` +
    element('PaymentMethod', order.paymentMethod, 50) +
    element('ShippingMethod', order.shippingMethod, 100) +
    `<Items>${order.items.map((item) => itemXml(item, money, page)).join('')}` +
    `${discountXml(order, money)}</Items>` +
    '<Customer>' +
    element('CustomerCode', String(order.customerId ?? order.email), 100) +
    `<BillTo>${addressXml(billingAddress, element('Email', order.email, 1000))}</BillTo>` +
    `<ShipTo>${addressXml(shippingAddress, '')}</ShipTo>` +
    '</Customer>' +
    element('InternalNotes', order.internalNotes, 1000) +
    `<Gift>${order.gift}</Gift>` +
    `<OrderDate>${exportDate(order.createdAt)}</OrderDate>` +
    element('CustomField1', order.customField1, 100) +
    element('CustomField2', order.customField2, 100) +
    element('CustomField3', order.customField3, 100) +
    element('CustomerNotes', order.customerNotes, 1000) +
    element('GiftMessage', order.giftMessage, 1000) +
    (page.further?.furtherFields
      ? optionalElement('RequestedWarehouse', order.requestedWarehouse, 100) +
        optionalElement('Source', order.source, 50)
      : '') +
    '</Order>\n'
  )
}

type WrittenPage = Omit<Parameters<typeof ordersXml>[0], 'orders' | 'pages'>

type Money = (minorUnits: number) => string

function itemXml(item: LineItem, money: Money, { baseUrl, further }: WrittenPage): string {
  const weight = exportWeight(item.weight, item.weightUnit)
  return (
    '<Item>' +
    element('SKU', item.sku, lengths.sku) +
    element('Name', item.name, lengths.name) +
    `<Weight>${decimal(weight.amount)}</Weight>` +
    `<Quantity>${item.quantity}</Quantity>` +
    `<UnitPrice>${money(item.unitPrice)}</UnitPrice>` +
    element('ImageUrl', imageUrl(item.imageUrl, baseUrl), Infinity) +
    `<WeightUnits>${weight.unit}</WeightUnits>` +
    '<Adjustment>false</Adjustment>' +
    `<Options>${item.options.slice(0, mostOptions).map(optionXml).join('')}</Options>` +
    (further?.furtherFields
      ? optionalElement('LineItemID', item.id, lengths.lineId) +
        optionalElement('Location', item.location, 100) +
        (further.dimensions ? dimensionsXml(item.dimensions) : '')
      : '') +
    '</Item>'
  )
}

/** A size that is no size is left out: an order is not worth less without it. */
function dimensionsXml(dimensions: LineItem['dimensions']): string {
  if (dimensions === undefined) return ''
  const { length, width, height, unit } = dimensions
  const isWritable = (side: number) => side > 0 && side < 1e15 && decimal(side) !== '0'
  if (![length, width, height].every(isWritable)) return ''
  return (
    `<Dimensions><DimensionUnits>${unit}</DimensionUnits><Length>${decimal(length)}</Length>` +
    `<Width>${decimal(width)}</Width><Height>${decimal(height)}</Height></Dimensions>`
  )
}

// The schema's maxOccurs.
const mostOptions = 100

const optionXml = ({ name, value }: LineItem['options'][number]) =>
  `<Option>${element('Name', name, 100)}${element('Value', value, 100)}</Option>`

/** A discount is one more item, marked as an adjustment, with a negative price. */
function discountXml(order: Order, money: Money): string {
  if (order.discountAmount === 0) return ''
  const name = order.discountCode === '' ? 'Discount' : `Discount ${order.discountCode}`
  return (
    '<Item>' +
    element('SKU', 'discount', 50) +
    element('Name', name, 200) +
    '<Weight>0</Weight><Quantity>1</Quantity>' +
    `<UnitPrice>${money(-Math.abs(order.discountAmount))}</UnitPrice>` +
    '<ImageUrl/><WeightUnits>Grams</WeightUnits><Adjustment>true</Adjustment><Options/>' +
    '</Item>'
  )
}

function addressXml(address: Address, email: string): string {
  // The schema wants two letters or no element at all, so an address without a country has no element.
  const code = address.country.trim().toUpperCase()
  const country = code === '' ? '' : element('Country', code, 2)
  return (
    element('Name', address.name, 100) +
    element('Company', address.company, 100) +
    element('Address1', address.line1, 200) +
    element('Address2', address.line2, 200) +
    element('City', address.city, 100) +
    element('State', address.state, 100) +
    element('PostalCode', address.postalCode, 50) +
    country +
    element('Phone', address.phone, 50) +
    email
  )
}

/** `M/D/YYYY HH:mm` in UTC, as ShipStation reads dates (`docs/interface.md` (Exported order)). */
export function exportDate(date: Date): string {
  const day = `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`
  return `${day} ${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** A weight without an exponent or a tail of zeros; the schema's decimal allows neither form. */
const decimal = (value: number) => value.toFixed(4).replace(/\.?0+$/, '')

const element = (name: string, text: string, maxLength: number) =>
  `<${name}>${xmlText(text, maxLength)}</${name}>`

const optionalElement = (name: string, text: string | undefined, maxLength: number) =>
  text === undefined || isBlank(text) ? '' : element(name, text, maxLength)

import {
  type Address,
  type LineItem,
  type MappedOrder,
  type Order,
  orderFieldRows,
  type OrderFieldValues,
} from './order.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { Row } from '../../core/database/database.js'
import type { Values } from '../../core/database/json-rows.js'
import { parseUrl } from '../../core/http/public-origin.js'

/** The parts of an address, and the extension's field that each is read from. */
export const addressParts = {
  firstName: 'firstName',
  lastName: 'lastName',
  company: 'company',
  line1: 'addressLine1',
  line2: 'addressLine2',
  city: 'city',
  state: 'state',
  postalCode: 'postalCode',
  country: 'country',
  phone: 'phone',
}

const addressPartNames = Object.keys(addressParts)

/** An order's values by the names of `order-rows.ts`. An address has its parts in the order of `addressParts`. */
export type OrderValues = Row & {
  items: Row[]
  shippingAddress: Values
  billingAddress: Values
}

export function readOrder(values: OrderValues): Order {
  const id = values.id as DocumentId
  const siteId = documentId(values.site)
  const hasBillingAddress = values.billingAddress.some((part) => text(part) !== '')
  const siteOrigin = originOf(text(values.siteBaseUrl))
  return {
    id,
    number: text(values.number),
    ...(siteId !== undefined && { siteId }),
    // An order from before Storeconnect has no reference, so its id is used, which is unique too.
    reference: text(values.reference) || String(id),
    status: text(values.status),
    currency: text(values.currency),
    total: amount(values.total),
    createdAt: new Date(text(values.createdAt)),
    updatedAt: new Date(text(values.updatedAt)),
    paymentMethod: text(values.paymentMethod),
    reason: text(values.reason),
    customerId: documentId(values.customer),
    email: text(values.email),
    shippingAddress: readAddress(values.shippingAddress),
    billingAddress: hasBillingAddress ? readAddress(values.billingAddress) : undefined,
    ...readFields(values),
    ...given('refundedAmount', values),
    items: values.items.map((line) => readLine(line, siteOrigin)),
    ...freeFields,
  }
}

const freeFields = { customField1: '', customField2: '', customField3: '' }

/** Gives the values that a store's `orders.map` left out their defaults. */
export const completeOrder = (order: MappedOrder): Order => ({
  ...readFields({}),
  ...freeFields,
  ...order,
})

function readFields(values: Row): OrderFieldValues {
  const fields: Row = {}
  for (const [name, { type }] of orderFieldRows) fields[name] = readers[type](values[name])
  return fields as unknown as OrderFieldValues
}

/** Reads a line with its snapshot. A picture's path becomes a URL of this origin, if it is not blank. */
export function readLine(line: Row, siteOrigin: string): LineItem {
  const options = line.options as Row[]
  const productId = documentId(line.product)
  return {
    id: text(line.id),
    ...(productId !== undefined && { productId }),
    slug: text(line.slug),
    sku: text(line.sku),
    name: text(line.name),
    quantity: Number(line.quantity),
    ...given('refundedQuantity', line),
    ...given('refundedAmount', line),
    // A price that is not known is not 0, which a free item has.
    unitPrice: Number(line.unitPrice ?? Number.NaN),
    weight: amount(line.weight),
    weightUnit: text(line.weightUnit),
    imageUrl: absoluteUrl(text(line.imageUrl), siteOrigin),
    options: options.map(({ name, value }) => ({ name: text(name), value: text(value) })),
    categories: texts(line.categories),
    brand: text(line.brand),
  }
}

function readAddress(values: Values): Address {
  const parts: Record<string, string> = {}
  addressPartNames.forEach((name, index) => {
    parts[name] = text(values[index])
  })
  parts.name = `${parts.firstName} ${parts.lastName}`.trim()
  return parts as unknown as Address
}

const text = (value: unknown): string =>
  value === null || value === undefined ? '' : String(value)

/** SQLite returns JSON as a text. */
const texts = (value: unknown): string[] => {
  const list: unknown = typeof value === 'string' ? JSON.parse(value) : value
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
}

const documentId = (value: unknown): DocumentId | undefined =>
  typeof value === 'number' || typeof value === 'string' ? value : undefined

/** A number that most rows do not have. */
const given = <Name extends string>(name: Name, row: Row) =>
  row[name] === null || row[name] === undefined ? {} : { [name]: Number(row[name]) }

const amount = (value: unknown): number => Number(value ?? 0)

const readers = { amount, text, textarea: text, checkbox: Boolean }

const originOf = (siteUrl: string): string =>
  siteUrl === '' ? '' : (parseUrl(siteUrl)?.origin ?? '')

// An upload has the same path on every site, so it directly follows the origin. Two slashes begin a host.
const absoluteUrl = (url: string, siteOrigin: string): string =>
  url.startsWith('/') && !url.startsWith('//') ? siteOrigin + url : url

import type { Address } from '../../commerce/address.js'
import type { DocumentId, LineItem, Order } from '../../commerce/order.js'
import type { Positions, Values } from './json-dialect.js'

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

/** Makes an order of the values that `order-rows.ts` selects. */
export function readOrder(values: Values, at: Positions, lineAt: Positions): Order {
  const value = (name: string) => values[at[name] ?? -1]
  const address = (key: string) => readAddress((part) => text(value(`${key}.${part}`)))
  const id = value('id') as DocumentId
  const siteUrl = text(value('siteBaseUrl'))
  const billingAddress = address('billingAddress')
  const items = value('items') as Values[]
  const siteId = documentId(value('site'))
  return {
    id,
    number: text(value('number')),
    ...(siteId !== undefined && { siteId }),
    // An order from before Storeconnect was added has no reference: its id is unique as well.
    reference: text(value('reference')) || String(id),
    status: text(value('status')),
    currency: text(value('currency')),
    total: amount(value('total')),
    taxAmount: amount(value('taxAmount')),
    shippingAmount: amount(value('shippingAmount')),
    discountAmount: amount(value('discountAmount')),
    discountCode: text(value('discountCode')),
    createdAt: new Date(text(value('createdAt'))),
    updatedAt: new Date(text(value('updatedAt'))),
    paymentMethod: text(value('paymentMethod')),
    shippingMethod: text(value('shippingMethod')),
    customerId: documentId(value('customer')),
    email: text(value('email')),
    shippingAddress: address('shippingAddress'),
    billingAddress: isBlank(billingAddress) ? undefined : billingAddress,
    items: items.map((line) => readLine(line, lineAt, siteUrl)),
    customerNotes: text(value('customerNotes')),
    internalNotes: text(value('internalNotes')),
    gift: Boolean(value('gift')),
    giftMessage: text(value('giftMessage')),
    customField1: '',
    customField2: '',
    customField3: '',
  }
}

function readLine(values: Values, at: Positions, siteUrl: string): LineItem {
  const value = (name: string) => values[at[name] ?? -1]
  const options = (value('options') ?? []) as Values[]
  const productId = documentId(value('product'))
  return {
    id: text(value('id')),
    ...(productId !== undefined && { productId }),
    slug: text(value('slug')),
    sku: text(value('sku')),
    name: text(value('name')),
    quantity: Number(value('quantity')),
    unitPrice: amount(value('unitPrice')),
    weight: amount(value('weight')),
    weightUnit: text(value('weightUnit')),
    imageUrl: absoluteUrl(text(value('imageUrl')), siteUrl),
    options: options.map(([name, choice]) => ({ name: text(name), value: text(choice) })),
  }
}

function readAddress(part: (name: keyof typeof addressParts) => string): Address {
  return {
    firstName: part('firstName'),
    lastName: part('lastName'),
    name: `${part('firstName')} ${part('lastName')}`.trim(),
    company: part('company'),
    line1: part('line1'),
    line2: part('line2'),
    city: part('city'),
    state: part('state'),
    postalCode: part('postalCode'),
    country: part('country'),
    phone: part('phone'),
  }
}

const isBlank = (address: Address) => Object.values(address).every((part) => part === '')

const text = (value: unknown): string =>
  value === null || value === undefined ? '' : String(value)

const documentId = (value: unknown): DocumentId | undefined =>
  typeof value === 'number' || typeof value === 'string' ? value : undefined

const amount = (value: unknown): number => Number(value ?? 0)

// A picture's path is kept without a host, so that it stays right when the shop moves. Uploads have one
// path, whichever site shows them; what stands behind two slashes is a host.
const absoluteUrl = (url: string, siteUrl: string): string =>
  /^\/(?!\/)/.test(url) && URL.canParse(siteUrl) ? new URL(siteUrl).origin + url : url

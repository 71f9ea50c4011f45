import type { Address } from './address.js'

/** The database's id of a document: a number, or text where the store uses UUIDs. */
export type DocumentId = number | string

/** One choice that the shopper made for a line item, such as Size: Large. */
export interface LineItemOption {
  name: string
  value: string
}

/** One line of an order, as it was when bought. */
export interface LineItem {
  /** The line's own id, the same for ever. Absent where the store's `mapOrder` does not tell. */
  id?: string
  /** Absent where the product is gone, or not told. */
  productId?: DocumentId
  /** What the product's page is found by; blank or absent: it has none. */
  slug?: string
  sku: string
  name: string
  quantity: number
  /** Integer minor units of the order's currency. */
  unitPrice: number
  weight: number
  /** `g`, `kg`, `oz` or `lb`. */
  weightUnit: string
  /** An absolute URL, or a path on the origin of the order's site. Empty when there is no picture. */
  imageUrl: string
  options: LineItemOption[]
}

/** A completed order, in the words of commerce: what the export writes and hooks may change. */
export interface Order {
  id: DocumentId
  /**
   * 32 hex digits, unguessable, the same as of the cart it was. Blank or absent for an order from
   * before Storeconnect.
   */
  number?: string
  /** The site that it was made on; absent where none is known. */
  siteId?: DocumentId
  /** Short, for people, unique; the shipping platform's order number. */
  reference: string
  /** The handle of the order's status, such as `processing`. */
  status: string
  /** ISO 4217 code. */
  currency: string
  /** Amounts are integer minor units of the currency. A discount is positive here. */
  total: number
  taxAmount: number
  shippingAmount: number
  discountAmount: number
  discountCode: string
  createdAt: Date
  updatedAt: Date
  paymentMethod: string
  shippingMethod: string
  /** The customer account's id; undefined for a guest. */
  customerId: DocumentId | undefined
  email: string
  /** The account's own email, which the order's may differ from; absent where it is not told. */
  accountEmail?: string
  shippingAddress: Address
  /** Undefined when the shopper gave none: the shipping address stands in for it. */
  billingAddress: Address | undefined
  items: LineItem[]
  customerNotes: string
  internalNotes: string
  gift: boolean
  giftMessage: string
  /** The shipping platform's three free fields. Empty unless a `beforeExport` hook fills them. */
  customField1: string
  customField2: string
  customField3: string
}

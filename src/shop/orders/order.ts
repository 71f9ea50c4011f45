import type { OrderFieldName } from '../../core/shop-names.js'
import type { Products } from '../../core/shop.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { TypeWithID } from 'payload'

/** One choice that the shopper made for a line item, such as Size: Large. */
export interface LineItemOption {
  name: string
  value: string
}

/** One line of an order, as it was when bought. */
export interface LineItem {
  /** The line's own id, which never changes. Absent where the store's `orders.map` gives none. */
  id?: string
  /** Absent when the product is gone or not known. */
  productId?: DocumentId
  /** The slug of the product's page; blank or absent without a page. */
  slug?: string
  sku: string
  name: string
  /** As bought; in `beforeExport` without what was refunded. */
  quantity: number
  /** How many of them were refunded. Absent: none. */
  refundedQuantity?: number
  /** What was given back for them, in minor units. Absent or 0: their price. */
  refundedAmount?: number
  /** Integer minor units of the order's currency; NaN when it is not known. */
  unitPrice: number
  /** In `weightUnit`. */
  weight: number
  /** `g`, `kg`, `oz` or `lb`. */
  weightUnit: string
  /** An absolute URL, or a path on the origin of the order's site. Empty when there is no picture. */
  imageUrl: string
  options: LineItemOption[]
  /** The names of the product's categories. */
  categories?: readonly string[]
  brand?: string
  /** Where it lies in the warehouse. It is exported with ShipStation's further fields. */
  location?: string
  /** Its size, packed. It is exported with the setting `dimensions`. */
  dimensions?: Dimensions
}

/** The size of one item. */
export interface Dimensions {
  length: number
  width: number
  height: number
  unit: (typeof dimensionUnits)[number]
}

/** The units in which Storeconnect's own field keeps the size of a line's item. */
export const dimensionUnits = ['in', 'cm'] as const

/** The units in which Storeconnect's own field keeps the weight of a line. */
export const weightUnits = ['g', 'kg', 'oz', 'lb'] as const

/** A postal address as the shop keeps it. A field that the shop does not have is empty text. */
export interface Address {
  name: string
  /** The parts of the name, if the shop keeps them in fields of their own. */
  firstName?: string
  lastName?: string
  company: string
  line1: string
  line2: string
  city: string
  state: string
  postalCode: string
  /** ISO 3166-1 alpha-2, such as `DE`. */
  country: string
  phone: string
}

/** A completed order, in the words of commerce: what the export writes and hooks may change. */
export interface Order extends OrderFieldValues {
  id: DocumentId
  /** 32 hex digits, unguessable, the same as its cart's. Blank or absent for an order from before Storeconnect. */
  number?: string
  /** The site that it was made on; absent when not known. */
  siteId?: DocumentId
  /** Short, for people, unique; ShipStation's order number. */
  reference: string
  /** The handle of the order's status, such as `processing`. */
  status: string
  /** ISO 4217 code. */
  currency: string
  /** Integer minor units of the currency, like all amounts. */
  total: number
  /** What was given back of it so far. Absent or 0: the value of the refunded lines. */
  refundedAmount?: number
  createdAt: Date
  updatedAt: Date
  /** Why it was cancelled or refunded; blank or absent when nobody said. */
  reason?: string
  paymentMethod: string
  /** The customer account's id; undefined for a guest. */
  customerId: DocumentId | undefined
  email: string
  /**
   * The account's email, which may differ from the order's; absent when not known, or when it was changed
   * since it was verified.
   */
  accountEmail?: string
  shippingAddress: Address
  /** Undefined when the shopper gave none; then the shipping address is used. */
  billingAddress: Address | undefined
  items: LineItem[]
  /** ShipStation's three free fields. Empty unless the settings or a `beforeExport` hook fill them. */
  customField1: string
  customField2: string
  customField3: string
  /** The warehouse that is to ship the order. It is exported with ShipStation's further fields. */
  requestedWarehouse?: string
  /** Where the order came from, such as a marketplace. It is exported with ShipStation's further fields. */
  source?: string
}

/** A field with one value that Storeconnect adds to orders. */
interface OrderFieldRow {
  type: 'amount' | 'text' | 'textarea' | 'checkbox'
  /** The section in the admin. Shoppers cannot write fields of `amounts` to their cart. */
  group: 'amounts' | 'notes'
  /** Whether carts have it too, and a new order copies it from its cart. */
  isOnCarts: boolean
  /** Only admins read it. */
  isInternal?: true
  /** The product that alone needs it. A store without that product has no such field. */
  isOf?: keyof Products
  /** The type of the extension's `summary` lines whose sum is used when an order has no value. */
  summaryLines?: 'shipping' | 'tax' | 'discount'
}

/**
 * The fields with one value that Storeconnect adds to orders. The schema of orders and carts, the names
 * in the options, what an order copies from its cart, the reading and the type `Order` follow from it.
 */
const orderFieldTable = {
  /** Minor units. */
  shippingAmount: { type: 'amount', group: 'amounts', isOnCarts: true, summaryLines: 'shipping' },
  /** Minor units. */
  taxAmount: { type: 'amount', group: 'amounts', isOnCarts: true, summaryLines: 'tax' },
  /** Minor units, positive. */
  discountAmount: { type: 'amount', group: 'amounts', isOnCarts: true, summaryLines: 'discount' },
  discountCode: { type: 'text', group: 'amounts', isOnCarts: true },
  shippingMethod: { type: 'text', group: 'amounts', isOnCarts: true, isOf: 'shipping' },
  /** What the shopper wrote. */
  customerNotes: { type: 'textarea', group: 'notes', isOnCarts: true, isOf: 'shipping' },
  gift: { type: 'checkbox', group: 'notes', isOnCarts: true },
  giftMessage: { type: 'textarea', group: 'notes', isOnCarts: true, isOf: 'shipping' },
  /** What the staff wrote. */
  internalNotes: {
    type: 'textarea',
    group: 'notes',
    isOnCarts: false,
    isInternal: true,
    isOf: 'shipping',
  },
} as const satisfies Readonly<Record<OrderFieldName, OrderFieldRow>>

type Table = typeof orderFieldTable

interface ValueOfType {
  amount: number
  text: string
  textarea: string
  checkbox: boolean
}

/** The values of these fields in an order: integer minor units, texts that may be blank, and booleans. */
export type OrderFieldValues = { -readonly [Name in keyof Table]: ValueOfType[Table[Name]['type']] }

export const orderFieldRows = Object.entries(orderFieldTable) as [OrderFieldName, OrderFieldRow][]

type MayBeAbsent = keyof OrderFieldValues | 'customField1' | 'customField2' | 'customField3'

/** An order without the values that it does not have: an amount is then 0, a text blank, a box false. */
export type MappedOrder = Omit<Order, MayBeAbsent> & Partial<Pick<Order, MayBeAbsent>>

/** An order document as Payload returns it at the depth that `orders.map` asks for. */
export type OrderDocument = TypeWithID & Record<string, unknown>

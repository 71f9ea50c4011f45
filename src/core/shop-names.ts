/** Slugs of the collections that Storeconnect works with, for a store that renamed them. */
export interface CollectionSlugs {
  /** Default `orders`. */
  orders: string
  /** Default `carts`. */
  carts: string
  /** Default `transactions`. */
  transactions: string
  /** The address book of the customers. Default `addresses`. */
  addresses: string
  /** Sites, added by Storeconnect unless the store has a collection of this slug. Default `sites`. */
  sites: string
}

/** The fields with one value that Storeconnect adds to orders. */
export type OrderFieldName =
  | 'shippingAmount'
  | 'taxAmount'
  | 'discountAmount'
  | 'discountCode'
  | 'shippingMethod'
  | 'customerNotes'
  | 'gift'
  | 'giftMessage'
  | 'internalNotes'

/**
 * Names of the orders' and carts' fields, for a store that renamed them or keeps the data elsewhere.
 * A dot leads into a group or a named tab: `details.reference`. A field that exists is used as it
 * is; a field that does not exist is added. By default a field has the name of its option.
 */
export interface FieldNames extends Record<OrderFieldName, string> {
  /** The unguessable number, 32 hex digits, the same on a cart and the order it becomes. Default `number`. */
  number: string
  /** The short, unique order number for people. Default `reference`. */
  reference: string
  /** The site on which a cart or order was made. Default `site`. */
  site: string
  /** Default `status`. */
  status: string
  /** Default `customer`. */
  customer: string
  /** Default `customerEmail`. */
  customerEmail: string
  /** The order's total in minor units. Default `amount`. */
  amount: string
  /** Default `currency`. */
  currency: string
  /** Default `items`. */
  items: string
  /** Default `transactions`. */
  transactions: string
  /** Default `shippingAddress`. */
  shippingAddress: string
  /** Default `billingAddress`. */
  billingAddress: string
  /** A field of your orders that says why they were cancelled or refunded, for these events. Default `reason`. */
  reason: string
  /** The array that Storeconnect adds for the tracking entry. Default `tracking`. */
  tracking: string
  /** A number field of your orders' lines: how many of a line were refunded. Default `refundedQuantity`. */
  refundedQuantity: string
  /** A number field of your orders, of their lines or of both: what was given back, in minor units. Default `refundedAmount`. */
  refundedAmount: string
}

/**
 * Names of the products' and variants' fields whose values are copied onto an order's line when the
 * product is bought. A dot leads into a group or a related document. A variant's value comes before its
 * product's.
 */
export interface ProductFieldNames {
  /** Default `title`. */
  name: string
  /** Default `sku`. */
  sku: string
  /** Default `weight`. */
  weight: string
  /** `g`, `kg`, `oz` or `lb`. Default `weightUnit`. */
  weightUnit: string
  /** The size of the packed product, for ShipStation. Default `length`. */
  length: string
  /** Default `width`. */
  width: string
  /** Default `height`. */
  height: string
  /** `in` or `cm`. Default `dimensionUnit`. */
  dimensionUnit: string
  /** A text: where the product lies in the warehouse. Default `location`. */
  location: string
  /** An upload, or a text with a URL. Default `image`; `gallery.0.image` where products have no usable `image`. */
  image: string
  /** The slug of the product's page. Default `slug`. */
  slug: string
  /** A text or rich text, for the product feed. Default `description`. */
  description: string
  /** Documents with a title or name, or texts, for events and the product feed. Default `categories`. */
  categories: string
  /** A text, or a document with a title or name, for events and the product feed. Default `brand`. */
  brand: string
  /**
   * The price before a reduction, for Viewed Product and the product feed: the name without the currency.
   * Default `compareAtPrice`, whose field for euros is `compareAtPriceInEUR`, in cents.
   */
  compareAtPrice: string
}

/** The names of the collections and fields that Storeconnect reads and writes. */
export interface ShopNames {
  readonly collections: Readonly<CollectionSlugs>
  readonly fields: Readonly<FieldNames>
  readonly productFields: Readonly<ProductFieldNames>
}

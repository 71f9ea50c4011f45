import type { DocumentId, LineItem, Order } from '../commerce/order.js'
import type { Properties } from '../marketing/profile.js'

/** A cart as its events have it. */
export interface CartSnapshot {
  id: DocumentId
  /** 32 hex digits, unguessable. */
  number: string
  /** The site that it was made on; absent where none is known. */
  siteId?: DocumentId
  /** Prices as they are now, each with its product's id. */
  lines: readonly LineItem[]
  /** Integer minor units of the currency. */
  total: number
  /** ISO 4217 code. */
  currency: string
  updatedAt: Date
}

/** What an event is about: an order, or a cart that may become one. */
export type Subject = { kind: 'order'; order: Order } | { kind: 'cart'; cart: CartSnapshot }

/** What a store's developer may say about the properties of the events of orders and carts. */
export interface OrderHooks {
  /**
   * Called with the properties that an order's or a cart's events carry. Return them, changed or not,
   * or `false`: then the events of the whole order are not sent. (Ordered Product is about a line:
   * see `lineItemProperties`.)
   *
   * @example
   * orderProperties: (properties, about) =>
   *   about.kind === 'order' && about.order.gift ? { ...properties, Gift: true } : properties
   */
  orderProperties?: (
    properties: Properties,
    about: Subject,
  ) => Properties | false | Promise<Properties | false>
  /**
   * Called with the properties of each line item. Return them, changed or not, or `false`: then the
   * line is not among the Items of any event, and has no Ordered Product.
   */
  lineItemProperties?: (
    properties: Properties,
    about: Subject & { line: LineItem },
  ) => Properties | false | Promise<Properties | false>
}

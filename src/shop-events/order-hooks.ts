import type { LineItem, Order } from '../commerce/order.js'
import type { Properties } from '../marketing/profile.js'
import type { TakenCart } from './happening.js'

/** What an event tells of: an order, or a cart that may become one. */
export type Subject = { kind: 'order'; order: Order } | { kind: 'cart'; cart: TakenCart }

/** What a store's developer may say about the properties of the events of orders and carts. */
export interface OrderHooks {
  /**
   * Called with the properties that an order's or a cart's events carry. Return them, changed or not,
   * or `false`: then the events that tell the whole order are not sent. (Ordered Product tells a line:
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

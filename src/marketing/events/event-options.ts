import * as z from 'zod/mini'
import type { LineItem, Order } from '../../shop/orders/order.js'
import type { DocumentId } from '../../core/database/document-id.js'
import type { Properties } from '../klaviyo/profile.js'
import { callback, schemaOf } from '../../core/options-schema.js'

/** A cart as its events describe it. */
export interface CartSnapshot {
  id: DocumentId
  /** 32 hex digits, unguessable. */
  number: string
  /** The site where it was created; absent when unknown. */
  siteId?: DocumentId
  /** Line items with their current prices and product ids. */
  lines: readonly LineItem[]
  /** Integer minor units of the currency. */
  total: number
  /** ISO 4217 code. */
  currency: string
  updatedAt: Date
}

/** What an event is about: an order, or a cart that may become one. */
export type Subject = { kind: 'order'; order: Order } | { kind: 'cart'; cart: CartSnapshot }

/**
 * Hooks that let a developer change the properties of order and cart events. When a hook throws, the error
 * is logged, and only the events with these properties are not sent.
 */
export interface OrderHooks {
  /**
   * Called with the properties that an order's or a cart's events carry. Return them, changed or not,
   * or return `false` to send none of these events. (Ordered Product is about a line: see
   * `lineItemProperties`.)
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
   * Called with the properties of each line item. Return them, changed or not, or return `false` to
   * leave the line out of the Items of every event and to send no Ordered Product for it.
   *
   * @example
   * lineItemProperties: (properties, { line }) => ({ ...properties, Heavy: line.weight > 1000 })
   */
  lineItemProperties?: (
    properties: Properties,
    about: Subject & { line: LineItem },
  ) => Properties | false | Promise<Properties | false>
}

export const eventOptions = schemaOf<OrderHooks>()(
  z.strictObject({
    orderProperties: z.optional(callback<OrderHooks['orderProperties']>()),
    lineItemProperties: z.optional(callback<OrderHooks['lineItemProperties']>()),
  }),
)

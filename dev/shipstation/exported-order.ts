import { z } from 'zod'

import { customer } from './exported-customer.ts'
import { item } from './exported-item.ts'
import { dateTime, decimal, elements, flag, optionalText, text } from './schema-values.ts'

// Lengths, and what may be left out, are those of the published schema. What is left out reads as
// an empty text, 0 or false, as at ShipStation.

const order = elements({
  OrderID: optionalText(50),
  OrderNumber: text(50),
  OrderStatus: text(50),
  OrderTotal: decimal,
  TaxAmount: decimal.default(0),
  ShippingAmount: decimal.default(0),
  LastModified: dateTime,
  PaymentMethod: optionalText(50),
  ShippingMethod: optionalText(100),
  Items: elements({ Item: z.array(item).default([]) }),
  Customer: customer,
  InternalNotes: optionalText(1000),
  Gift: flag.default(false),
  OrderDate: dateTime,
  CustomField1: optionalText(100),
  CustomField2: optionalText(100),
  CustomField3: optionalText(100),
  CustomerNotes: optionalText(1000),
  GiftMessage: optionalText(1000),
}).transform((found) => ({
  /** Text, as the schema has it: not every shop counts its orders in integers. */
  orderId: found.OrderID,
  orderNumber: found.OrderNumber,
  orderStatus: found.OrderStatus,
  orderTotal: found.OrderTotal,
  taxAmount: found.TaxAmount,
  shippingAmount: found.ShippingAmount,
  lastModified: found.LastModified,
  paymentMethod: found.PaymentMethod,
  shippingMethod: found.ShippingMethod,
  items: found.Items.Item,
  customer: found.Customer,
  internalNotes: found.InternalNotes,
  gift: found.Gift,
  orderDate: found.OrderDate,
  customField1: found.CustomField1,
  customField2: found.CustomField2,
  customField3: found.CustomField3,
  customerNotes: found.CustomerNotes,
  giftMessage: found.GiftMessage,
}))

/** One order as ShipStation understood it. Money and weights are numbers, dates are instants. */
export type ExportedOrder = z.output<typeof order>
export type ExportedItem = ExportedOrder['items'][number]

/** `pages` is `xs:short` in the schema. */
const pageCount = z
  .string({ error: 'is missing' })
  .regex(/^\d{1,5}$/, { error: 'is not a whole number' })
  .transform(Number)
  .refine((pages) => pages <= 32_767, { error: 'is more than 32767' })

/** The root element `Orders`. */
export const exportedOrders = elements({
  '@_pages': pageCount,
  Order: z.array(order).default([]),
}).transform((found) => ({ pages: found['@_pages'], orders: found.Order }))

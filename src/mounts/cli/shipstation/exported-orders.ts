import { XMLParser, XMLValidator } from 'fast-xml-parser'
import * as z from 'zod/mini'

// What the stand-in reads of an export. The contract tests hold the whole of it to the published schema.

const text = z._default(z.string(), '')

const item = z.pipe(
  z.object({
    LineItemID: text,
    SKU: z.string(),
    Name: z.string(),
    Quantity: z.coerce.number(),
    Adjustment: text,
  }),
  z.transform((found) => ({
    lineItemId: found.LineItemID,
    sku: found.SKU,
    name: found.Name,
    quantity: found.Quantity,
    /** A discount or the like: nothing to ship. */
    isAdjustment: found.Adjustment === 'true',
  })),
)

/** Who gets the parcel, by the names of the elements. */
const recipient = z.object({
  Name: text,
  Company: text,
  Address1: text,
  Address2: text,
  City: text,
  State: text,
  PostalCode: text,
  Country: text,
})

/** An element without children is read as an empty text. */
const items = z.pipe(
  z.transform((value) => (typeof value === 'string' ? {} : value)),
  z.object({ Item: z._default(z.array(item), []) }),
)

const order = z.pipe(
  z.object({
    OrderID: text,
    OrderNumber: z.string(),
    OrderStatus: z.string(),
    OrderTotal: z.coerce.number(),
    OrderDate: z.string(),
    Customer: z.object({ CustomerCode: text, ShipTo: recipient }),
    Items: items,
  }),
  z.transform((found) => ({
    orderId: found.OrderID,
    orderNumber: found.OrderNumber,
    orderStatus: found.OrderStatus,
    orderTotal: found.OrderTotal,
    orderDate: found.OrderDate,
    customerCode: found.Customer.CustomerCode,
    recipient: found.Customer.ShipTo,
    items: found.Items.Item,
  })),
)

export type ExportedOrder = z.output<typeof order>
export type Recipient = z.output<typeof recipient>

const page = z.pipe(
  z.object({
    Orders: z.object({
      '@_pages': z.coerce.number().check(z.refine(Number.isInteger)),
      Order: z._default(z.array(order), []),
    }),
  }),
  z.transform(({ Orders }) => ({ pages: Orders['@_pages'], orders: Orders.Order })),
)

const lists = new Set(['Orders.Order', 'Orders.Order.Items.Item'])

const parser = new XMLParser({
  ignoreAttributes: false,
  // And character references.
  htmlEntities: true,
  isArray: (_name, path) => lists.has(String(path)),
  // "007" stays "007".
  parseTagValue: false,
})

/**
 * Reads one page of an export.
 *
 * @throws what is wrong with it.
 */
export function readOrders(xml: string): z.output<typeof page> {
  const validity = XMLValidator.validate(xml)
  if (validity !== true) throw new Error(validity.err.msg)
  return page.parse(parser.parse(xml))
}

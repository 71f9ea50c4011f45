import { XMLBuilder } from 'fast-xml-parser'
import type { Payload } from 'payload'
import { create } from 'xmlbuilder2'
import { exportRequest } from '../test/support/shipping-requests.js'
import { exportDate } from '../src/shipping/export/order-xml.js'
import { decimalAmount } from '../src/shop/orders/money.js'
import { floorRows } from './floor-sql.js'
import type { Arm } from './interleave.js'
import type { BenchStore } from './stores.js'

/** One page of `pageSize` orders, by each way; all of them return the number of orders written. */
export function exportArms(store: BenchStore, page: number, pageSize: number): Arm[] {
  return [
    { name: 'Storeconnect', run: () => exportPage(store, page) },
    { name: 'floor: one SQL + strings', run: () => floorPage(store, page, pageSize) },
    {
      name: 'payload.find depth 2 + xmlbuilder2',
      run: async () => {
        const orders = await foundOrders(store.payload, page, pageSize)
        return countOrders(Buffer.from(create({ Orders: orderTree(orders) }).end()))
      },
    },
    {
      name: 'payload.find depth 2 + fast-xml-parser',
      run: async () => {
        const orders = await foundOrders(store.payload, page, pageSize)
        return countOrders(Buffer.from(new XMLBuilder({}).build({ Orders: orderTree(orders) })))
      },
    },
  ]
}

export async function exportPage(
  { handle }: BenchStore,
  page: number,
  window = {},
): Promise<number> {
  const response = await handle(exportRequest({ page: String(page), ...window }))
  if (response.status !== 200) throw new Error(`The export answered ${response.status}.`)
  return countOrders(Buffer.from(await response.arrayBuffer()))
}

/** Each way ends with the bytes of an answer. To read them as text is the client's work, and takes long. */
function countOrders(xml: Buffer): number {
  let count = 0
  for (let at = xml.indexOf('<OrderID>'); at !== -1; at = xml.indexOf('<OrderID>', at + 1)) count++
  return count
}

/** What a person would write by hand for one store: fixed columns, no checks, no settings. */
async function floorPage(store: BenchStore, page: number, pageSize: number): Promise<number> {
  const rows = await floorRows(store, (page - 1) * pageSize, pageSize)
  let xml = '<?xml version="1.0" encoding="UTF-8"?><Orders pages="1">'
  for (const row of rows) {
    const money = (amount: unknown) => decimalAmount(Number(amount ?? 0), String(row.currency))
    const address = (of: 'shipping' | 'billing') =>
      `<Name>${text(`${String(row[`${of}_address_first_name`])} ${String(row[`${of}_address_last_name`])}`)}</Name><Company>${text(row[`${of}_address_company`])}</Company><Address1>${text(row[`${of}_address_address_line1`])}</Address1><Address2>${text(row[`${of}_address_address_line2`])}</Address2><City>${text(row[`${of}_address_city`])}</City><State>${text(row[`${of}_address_state`])}</State><PostalCode>${text(row[`${of}_address_postal_code`])}</PostalCode><Country>${text(row[`${of}_address_country`])}</Country><Phone>${text(row[`${of}_address_phone`])}</Phone>`
    xml += `<Order><OrderID>${String(row.id)}</OrderID><OrderNumber>${text(row.reference)}</OrderNumber><OrderStatus>${text(row.status)}</OrderStatus><OrderTotal>${money(row.amount)}</OrderTotal><TaxAmount>${money(row.tax_amount)}</TaxAmount><ShippingAmount>${money(row.shipping_amount)}</ShippingAmount><LastModified>${exportDate(new Date(String(row.updated_at)))}</LastModified><PaymentMethod>${text(row.payment_method)}</PaymentMethod><ShippingMethod>${text(row.shipping_method)}</ShippingMethod><Items>`
    for (const item of row.items) {
      xml += `<Item><SKU>${text(item.sku)}</SKU><Name>${text(item.name)}</Name><Weight>${Number(item.weight)}</Weight><Quantity>${Number(item.quantity)}</Quantity><UnitPrice>${money(item.unitPrice)}</UnitPrice><ImageUrl>https://shop.example${text(item.imageUrl)}</ImageUrl><WeightUnits>Grams</WeightUnits><Adjustment>false</Adjustment><Options>`
      for (const option of item.options) {
        xml += `<Option><Name>${text(option.name)}</Name><Value>${text(option.value)}</Value></Option>`
      }
      xml += '</Options></Item>'
    }
    xml += `</Items><Customer><CustomerCode>${text(row.customer_id ?? row.customer_email)}</CustomerCode><BillTo>${address('billing')}<Email>${text(row.customer_email)}</Email></BillTo><ShipTo>${address('shipping')}</ShipTo></Customer><InternalNotes>${text(row.internal_notes)}</InternalNotes><Gift>${Boolean(row.gift)}</Gift><OrderDate>${exportDate(new Date(String(row.created_at)))}</OrderDate><CustomerNotes>${text(row.customer_notes)}</CustomerNotes><GiftMessage>${text(row.gift_message)}</GiftMessage></Order>`
  }
  return countOrders(Buffer.from(`${xml}</Orders>`))
}

const text = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : String(value).replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)

type Found = Record<string, unknown> & {
  shippingAddress: Record<string, string>
  billingAddress: Record<string, string>
  items: Record<string, unknown>[]
}

async function foundOrders(payload: Payload, page: number, limit: number): Promise<Found[]> {
  const { docs } = await payload.find({
    collection: 'orders',
    depth: 2,
    sort: ['updatedAt', 'id'],
    page,
    limit,
  })
  return docs as unknown as Found[]
}

const orderTree = (orders: Found[]) => ({
  Order: orders.map((order) => ({
    OrderID: order.id,
    OrderNumber: order.reference,
    OrderStatus: order.status,
    OrderTotal: order.amount,
    TaxAmount: order.taxAmount,
    ShippingAmount: order.shippingAmount,
    LastModified: exportDate(new Date(String(order.updatedAt))),
    ShippingMethod: order.shippingMethod,
    Items: {
      Item: order.items.map((item) => ({
        SKU: item.sku,
        Name: item.name,
        Weight: item.weight,
        Quantity: item.quantity,
        UnitPrice: item.unitPrice,
        ImageUrl: item.imageUrl,
        WeightUnits: 'Grams',
        Adjustment: false,
        Options: {
          Option: (item.options as { name: string; value: string }[]).map(({ name, value }) => ({
            Name: name,
            Value: value,
          })),
        },
      })),
    },
    Customer: {
      CustomerCode: order.customerEmail,
      BillTo: { ...addressTree(order.billingAddress), Email: order.customerEmail },
      ShipTo: addressTree(order.shippingAddress),
    },
    InternalNotes: order.internalNotes ?? '',
    Gift: Boolean(order.gift),
    OrderDate: exportDate(new Date(String(order.createdAt))),
    CustomerNotes: order.customerNotes ?? '',
    GiftMessage: order.giftMessage ?? '',
  })),
})

const addressTree = (address: Record<string, string>) => ({
  Name: `${address.firstName} ${address.lastName}`,
  Company: address.company,
  Address1: address.addressLine1,
  Address2: address.addressLine2,
  City: address.city,
  State: address.state,
  PostalCode: address.postalCode,
  Country: address.country,
  Phone: address.phone,
})

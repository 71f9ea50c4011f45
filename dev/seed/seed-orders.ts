import type { DefaultDocumentIDType, Payload } from 'payload'
import { demoOrders, statusHistoryOf, type DemoLine, type DemoOrder } from './demo-orders.ts'
import type { SeededProducts } from './seed-products.ts'
import { writeTimes } from './write-times.ts'

type Id = DefaultDocumentIDType

export interface SeedOrdersParts {
  seeded: SeededProducts
  /** Accounts by e-mail address. */
  customerIds: Map<string, Id>
  /** Sites by handle. */
  siteIds: Map<string, Id>
  now: Date
  onProgress(done: number, total: number): void
}

/** Creates the demo's orders, each with the payment that led to it. */
export async function seedDemoOrders(payload: Payload, parts: SeedOrdersParts): Promise<void> {
  const orders = demoOrders(parts.now)
  for (const [index, order] of orders.entries()) {
    await createOrder(payload, order, parts)
    parts.onProgress(index + 1, orders.length)
  }
}

async function createOrder(payload: Payload, order: DemoOrder, parts: SeedOrdersParts) {
  const { seeded, customerIds, siteIds } = parts
  const customerId = order.email === undefined ? undefined : customerIds.get(order.email)
  const buyer = customerId === undefined ? { customerEmail: order.email } : { customer: customerId }
  const transaction = await payload.create({
    collection: 'transactions',
    data: {
      ...buyer,
      amount: order.amount,
      currency: order.currency,
      billingAddress: order.billingAddress,
      items: order.lines.map((line) => itemOf(line, seeded)),
      paymentMethod: 'demo',
      status: order.status === 'refunded' ? 'refunded' : 'succeeded',
    },
  })
  const { id } = await payload.create({
    collection: 'orders',
    data: {
      ...buyer,
      amount: order.amount,
      billingAddress: order.billingAddress,
      currency: order.currency,
      customerNotes: order.customerNotes,
      discountAmount: order.discountAmount,
      discountCode: order.discountCode,
      gift: order.giftMessage !== undefined,
      giftMessage: order.giftMessage,
      internalNotes: order.internalNotes,
      items: order.lines.map((line) => ({
        ...itemOf(line, seeded),
        options: line.options,
        unitPrice: line.unitPrice,
      })),
      shippingAddress: order.shippingAddress,
      shippingAmount: order.shippingAmount,
      shippingMethod: order.shippingMethod,
      site: siteIds.get(order.site),
      status: order.status,
      taxAmount: order.taxAmount,
      tracking: order.tracking ? [order.tracking] : [],
      transactions: [transaction.id],
      warehouse: order.warehouse,
    },
    // Most of it is long ago: it is not sent as if it were of today.
    context: { storeconnect: 'import' },
  })
  await payload.db.updateOne({
    collection: 'orders',
    data: { statusChanges: statusHistoryOf(order) },
    id,
    returning: false,
  })
  await payload.db.updateOne({
    collection: 'transactions',
    data: { order: id },
    id: transaction.id,
    returning: false,
  })
  await writeTimes(payload, { collection: 'transactions', id: transaction.id }, order)
  await writeTimes(payload, { collection: 'orders', id }, order)
}

const itemOf = ({ product, quantity, variant }: DemoLine, seeded: SeededProducts) => ({
  product: seeded.productId(product),
  ...(variant ? { variant: seeded.variantId(variant) } : {}),
  quantity,
})

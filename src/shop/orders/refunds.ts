import type { PayloadRequest } from 'payload'
import * as z from 'zod/mini'
import type { LineItem, Order } from './order.js'

/** What was refunded of one line of an order. */
export interface RefundedLine {
  /** The line's id. */
  id: string
  /** How many of the line were refunded. */
  quantity: number
  /** What was given back for them, in minor units. Default: their price. */
  amount?: number | undefined
}

/** Tells what was refunded of an order. Several entries of one line are added. */
export type Refunds = (
  order: Order,
  context: { req: PayloadRequest },
) => readonly RefundedLine[] | Promise<readonly RefundedLine[]>

/** Whether a refunded quantity can be counted. */
export const isCountable = ({ refundedQuantity = 0 }: LineItem): boolean =>
  Number.isInteger(refundedQuantity) && refundedQuantity >= 0

/** How many of a line were refunded: none where that cannot be counted, and at most as many as were bought. */
export const refundedOf = (line: LineItem): number => {
  const { quantity, refundedQuantity = 0 } = line
  return isCountable(line) && refundedQuantity > 0
    ? Math.min(refundedQuantity, Math.max(quantity, 0))
    : 0
}

/** What was given back of a line, in minor units: what is told, else the price of what was refunded. */
export function refundedValue(line: LineItem): number {
  const refunded = refundedOf(line)
  return line.refundedAmount || (refunded === 0 ? 0 : refunded * line.unitPrice)
}

/** The lines with their net quantities; those that were refunded as a whole are left out. */
export const netLines = (lines: readonly LineItem[]): LineItem[] =>
  lines.flatMap((line) => {
    const refunded = refundedOf(line)
    if (refunded === 0) return line
    const quantity = line.quantity - refunded
    return quantity === 0 ? [] : { ...line, quantity }
  })

const refundedLines = z.array(
  z.object({ id: z.string(), quantity: z.number(), amount: z.optional(z.number()) }),
)

/**
 * The order with what the store's own `orders.refunds` tells of it, and nothing else.
 *
 * @throws whatever it throws, and an error when it returns no list of refunded lines.
 */
export async function withRefunds(
  order: Order,
  refunds: Refunds,
  context: Parameters<Refunds>[1],
): Promise<Order> {
  const told = refundedLines.parse(await refunds(order, context))
  const items = order.items.map((line) => ({
    ...line,
    ...sumOf(told.filter(({ id }) => id === line.id)),
  }))
  return { ...order, refundedAmount: 0, items }
}

function sumOf(lines: readonly RefundedLine[]) {
  const sum = (of: (line: RefundedLine) => number) =>
    lines.reduce((total, line) => total + of(line), 0)
  return {
    refundedQuantity: sum(({ quantity }) => quantity),
    refundedAmount: sum(({ amount = 0 }) => amount),
  }
}

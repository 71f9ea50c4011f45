import type { Order } from '../../commerce/order.js'
import type { Log } from '../../store/log.js'
import type { Omission } from '../../store/omission-record.js'
import { orderProblems } from './order-problems.js'

export interface JudgeParts {
  log: Log
  beforeExport: ((order: Order) => Order | false | Promise<Order | false>) | undefined
}

export type Verdict =
  /** As it is to be exported. */
  { order: Order } | LeftOut

interface LeftOut {
  order?: never
  reasons: string[]
  /** False for an order that nobody means to ship: it never fails the request. */
  isFailure: boolean
}

/** What the merchant is shown of an order that is left out. */
export const omissionOf = (
  { id, reference, updatedAt }: Order,
  { reasons, isFailure }: LeftOut,
): Omission => ({ orderId: id, reference, reasons, isFailure, changedAt: updatedAt })

/** Whether the export has an order, after the store's own hook has seen it, and why not. */
export async function judgeOrder(
  original: Order,
  { beforeExport, log }: JudgeParts,
): Promise<Verdict> {
  let order: Order | false = original
  try {
    if (beforeExport) order = await beforeExport(original)
  } catch (error) {
    log.error({ err: error, reference: original.reference }, 'The beforeExport hook failed')
    return { reasons: ["The store's beforeExport hook failed; the log says why."], isFailure: true }
  }
  if (order === false) {
    return { reasons: ["The store's beforeExport hook keeps it back."], isFailure: false }
  }
  if (order.items.length === 0) {
    return { reasons: ['It has no items, so there is nothing to ship.'], isFailure: false }
  }
  const reasons = orderProblems(order)
  return reasons.length > 0 ? { reasons, isFailure: true } : { order }
}

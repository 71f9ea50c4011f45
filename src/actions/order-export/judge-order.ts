import type { Order } from '../../commerce/order.js'
import type { Log } from '../../store/log.js'
import { orderProblems } from './order-problems.js'

export interface JudgeParts {
  log: Log
  beforeExport: ((order: Order) => Order | false | Promise<Order | false>) | undefined
}

export type Verdict =
  /** As it is to be exported. */
  | { order: Order }
  | {
      order?: never
      reasons: string[]
      /** False for an order that nobody means to ship: it never fails the request. */
      isFailure: boolean
    }

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

import type { DocumentId } from '../../core/database/document-id.js'
import { endingStatuses } from '../orders/happening.js'

/** A payment that was made, as far as the shop knows, and what became of it. */
export interface Payment {
  id: DocumentId
  /** `pending` only where the payment method has said since that it was paid. */
  status: 'pending' | 'processing' | 'succeeded'
  amount: number
  currency: string
  begunAt: Date
  changedAt: Date
  /** Undefined where it names none, as one that somebody has entered by hand. */
  cart: DocumentId | undefined
  isCartBought: boolean
  order: { id: DocumentId; amount: number; status: string } | undefined
}

/**
 * `stuck`: its confirmation was begun and did not end. `unordered`: it was made, and there is no order.
 * `twice`: another payment has paid for the same.
 */
export type PaymentProblem = 'stuck' | 'unordered' | 'twice'

export interface ProblemPayment extends Payment {
  problem: PaymentProblem
}

/** A confirmation that is under way ends sooner. */
export const settledAfterMs = 10 * 60_000

/** Who pays for the same cart again later buys it again. */
const againAfterMs = 24 * 60 * 60_000

/** The payments with which something is wrong. `payments` has all that were made for each cart among them. */
export const problemsAmong = (payments: readonly Payment[], now: Date): ProblemPayment[] =>
  payments.flatMap((payment) => {
    const problem = problemOf(payment, payments)
    const isSettled = payment.changedAt.getTime() <= now.getTime() - settledAfterMs
    return problem !== undefined && isSettled ? [{ ...payment, problem }] : []
  })

/** What is wrong with a payment, beside the others that were made for its cart. */
export function problemOf(
  payment: Payment,
  others: readonly Payment[],
): PaymentProblem | undefined {
  const { status, order, cart, isCartBought } = payment
  if (others.some((other) => isPaidAgain(payment, other))) return 'twice'
  if (status === 'processing') return 'stuck'
  if (order !== undefined || cart === undefined) return undefined
  // The order of a cart that was bought was there, and somebody has deleted it.
  return status === 'succeeded' && isCartBought ? undefined : 'unordered'
}

/** Whether a payment has paid for what another had paid for. Of two it is the one without an order, or the later. */
function isPaidAgain(payment: Payment, other: Payment): boolean {
  const [mine, others] = [payment.order, other.order]
  if (other.id === payment.id || other.cart !== payment.cart || payment.cart === undefined)
    return false
  if (other.amount !== payment.amount || other.currency !== payment.currency) return false
  if (isEnded(mine) || isEnded(others) || !isEarlier(other, payment)) return false
  if (Math.abs(payment.begunAt.getTime() - other.begunAt.getTime()) > againAfterMs) return false
  // Several payments may share one order, such as a deposit and the rest.
  return mine === undefined || mine.id !== others?.id || payment.amount >= mine.amount
}

const isEnded = (order: Payment['order']) => order !== undefined && endingStatuses.has(order.status)

function isEarlier(one: Payment, other: Payment): boolean {
  const isOrdered = ({ order }: Payment) => order !== undefined
  if (isOrdered(one) !== isOrdered(other)) return isOrdered(one)
  const [at, otherAt] = [one.begunAt.getTime(), other.begunAt.getTime()]
  return at === otherAt ? String(one.id) < String(other.id) : at < otherAt
}

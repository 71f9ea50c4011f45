import type { DocumentId } from '../../core/database/document-id.js'
import { problemOf, settledAfterMs } from './payment-problem.js'
import type { ConfirmablePayment } from './payments.js'

/**
 * What became of a payment's order. `made`: it was made now. `there`: it was there already. `linked`: it was there, and
 * the payment did not know; what was sold may not be taken off the stock.
 */
export type FinishedOrder =
  | { is: 'made' | 'there' | 'linked'; order: DocumentId }
  | { is: 'refused'; why: Refusal; order?: DocumentId }

/**
 * Why there is no order, and it is no use to ask again. `unknown`: there is no such payment. `ended`: it failed, expired,
 * was cancelled or given back. `twice`: another payment has paid for the same. `begun`: `order` was begun and is not
 * complete; the merchant completes or deletes it. `no-method`: the shop has not its payment method any more.
 */
export type Refusal = 'unknown' | 'ended' | 'twice' | 'begun' | 'no-method'

type Step =
  | { do: 'confirm'; takesOver: boolean }
  | { do: 'link'; order: DocumentId }
  | { do: 'end'; outcome: FinishedOrder }

const end = (outcome: FinishedOrder): Step => ({ do: 'end', outcome })
const refuse = (why: Refusal, order?: DocumentId): Step =>
  end({ is: 'refused', why, ...(order !== undefined && { order }) })

/** Decides by facts alone how the order of a payment is finished. */
export function nextStep(payment: ConfirmablePayment, now: Date): Step {
  const { status, order, others, begunOrder } = payment
  if (!isOpen(status)) return refuse('ended')
  if (status === 'succeeded' && order) return end({ is: 'there', order: order.id })
  if (status === 'pending') return confirmOr({ takesOver: false })
  const isSettled = payment.changedAt.getTime() <= now.getTime() - settledAfterMs
  // Whoever has claimed it is at work: the extension waits for that one.
  if (!isSettled) return confirmOr({ takesOver: false })
  if (begunOrder !== undefined) return refuse('begun', begunOrder)
  return order ? { do: 'link', order: order.id } : confirmOr({ takesOver: true })

  function confirmOr(how: { takesOver: boolean }): Step {
    const isTwice = isOpen(status) && problemOf({ ...payment, status }, others) === 'twice'
    return isTwice ? refuse('twice') : { do: 'confirm', ...how }
  }
}

const isOpen = (status: string): status is 'pending' | 'processing' | 'succeeded' =>
  ['pending', 'processing', 'succeeded'].includes(status)

import type { BasePayload } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import { Problem } from '../../core/errors.js'
import { partsOf } from '../../core/installation.js'
import { confirmPayment } from './confirm-payment.js'
import { nextStep, type FinishedOrder } from './finish-step.js'
import type { OwnClaim } from './own-claim.js'
import type { PaymentShop } from './payment-options.js'
import type { ConfirmablePayment, Payments } from './payments.js'

/**
 * Makes the order of a payment by the confirmation of the ecommerce plugin, as the shopper's browser does, for the webhook
 * of a payment provider. The payment method judges whether it was paid. There is one order at most, whoever confirms at the
 * same moment, and however often.
 *
 * @param given.payment The id of the payment, a document of `transactions`.
 * @throws {Problem} ORDER_NOT_FINISHED when the payment method does not confirm the payment, or cannot be asked: let the
 *   provider ask again later.
 * @throws {TypeError} when the store has no enabled `storeConnect()`.
 * @example
 * await finishOrder({ payload: req.payload, payment: transaction.id })
 */
export async function finishOrder({
  payload,
  payment,
}: {
  payload: BasePayload
  payment: DocumentId
}): Promise<FinishedOrder> {
  const parts = await partsOf(payload)
  return parts.finishOrder(payment)
}

export type FinishOrder = (payment: DocumentId) => Promise<FinishedOrder>

/** Finishes orders through the confirmation of the extension, whose payment method judges what was paid. */
export function createFinishOrder(shop: PaymentShop, payments: Payments | undefined): FinishOrder {
  const { payload, effects, options } = shop
  const { transactions, carts } = options.collections

  /** The claim of a payment whose own was cut off, if nobody has changed it since. */
  const takeOver =
    ({ id, status, changedAt }: ConfirmablePayment): OwnClaim =>
    (claim) =>
      claim({
        where: {
          and: [
            { id: { equals: id } },
            { status: { equals: status } },
            { updatedAt: { less_than_equal: changedAt.toISOString() } },
            { order: { exists: false } },
          ],
        },
      })

  /** What the order's creation writes after the order; the stock is left alone. */
  async function link(payment: ConfirmablePayment, order: DocumentId): Promise<void> {
    const { id, cart, isCartBought } = payment
    if (cart !== undefined && !isCartBought) {
      const data = { purchasedAt: effects.now().toISOString() }
      await payload.update({ collection: carts, id: cart, data, depth: 0 })
    }
    const data = { order, status: 'succeeded' }
    await payload.update({ collection: transactions, id, data, depth: 0 })
  }

  return async (id) => {
    const payment = await payments?.confirmable(id)
    if (payments === undefined || payment === undefined) return { is: 'refused', why: 'unknown' }
    const step = nextStep(payment, effects.now())
    if (step.do === 'end') return step.outcome
    if (step.do === 'link') {
      await link(payment, step.order)
      return { is: 'linked', order: step.order }
    }
    const isAsked = await confirmPayment(shop, id, {
      claim: step.takesOver ? takeOver(payment) : undefined,
    })
    if (!isAsked) return { is: 'refused', why: 'no-method' }
    const { status, order } = (await payments.confirmable(id)) ?? {}
    if (status !== 'succeeded' || order === undefined) {
      throw new Problem('ORDER_NOT_FINISHED', { log: { payment: id } })
    }
    return { is: 'made', order: order.id }
  }
}

import { lazy } from '../../core/database/cached-value.js'
import { defineParts } from '../../core/feature.js'
import { featureMatters } from '../../core/matter.js'
import type { Shop } from '../../core/shop.js'
import { createFinishOrder, type FinishOrder } from './finish-order.js'
import { paymentMatters } from './matters.js'
import type { PaymentShop } from './payment-options.js'
import { readOpenPayments, type OpenPayment } from './open-payments.js'
import { createPayments, type Payments } from './payments.js'

export interface PaymentParts {
  /** Undefined in a shop that has no payments. */
  payments: Payments | undefined
  finishOrder: FinishOrder
  openPayments: () => Promise<OpenPayment[]>
}

export const paymentParts = defineParts({
  build(shop: PaymentShop): PaymentParts {
    const payments = createPayments(shop)
    return {
      payments,
      finishOrder: createFinishOrder(shop, payments),
      openPayments: async () => (payments ? readOpenPayments(shop, payments) : []),
    }
  },
  matters: (_shop: Shop, { payments }: PaymentParts) =>
    featureMatters(paymentMatters, () =>
      Promise.resolve(payments && { ...payments, problems: lazy(() => payments.problems()) }),
    ),
})

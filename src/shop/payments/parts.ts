import { lazy } from '../../core/database/cached-value.js'
import { defineParts } from '../../core/feature.js'
import { featureMatters } from '../../core/matter.js'
import type { Shop } from '../../core/shop.js'
import { paymentMatters } from './matters.js'
import { createPayments, type Payments } from './payments.js'

export interface PaymentParts {
  /** Undefined in a shop that has no payments. */
  payments: Payments | undefined
}

export const paymentParts = defineParts({
  build: (shop: Shop): PaymentParts => ({ payments: createPayments(shop) }),
  matters: (_shop: Shop, { payments }: PaymentParts) =>
    featureMatters(paymentMatters, () =>
      Promise.resolve(payments && { ...payments, problems: lazy(() => payments.problems()) }),
    ),
})

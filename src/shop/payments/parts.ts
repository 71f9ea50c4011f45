import { lazy } from '../../core/database/cached-value.js'
import { defineParts } from '../../core/feature.js'
import { featureMatters } from '../../core/matter.js'
import type { Shop } from '../../core/shop.js'
import { englishText } from '../../core/translations/translation.js'
import { createAskedPayments } from './asked-payments.js'
import { createCartLimit } from './cart-limit.js'
import { createNightlyComparison } from './nightly-comparison.js'
import { createFinishOrder, type FinishOrder } from './finish-order.js'
import { paymentMatters } from './matters.js'
import type { PaymentShop } from './payment-options.js'
import { readOpenPayments, type OpenPayment } from './open-payments.js'
import type { ProblemPayment } from './payment-problem.js'
import { createPayments, type Payments } from './payments.js'

export interface PaymentParts {
  /** Undefined in a shop that has no payments. */
  payments: (Omit<Payments, 'problems'> & { problems: () => Promise<ProblemPayment[]> }) | undefined
  askedPayments: ReturnType<typeof createAskedPayments> | undefined
  nightlyComparison: ReturnType<typeof createNightlyComparison> | undefined
  finishOrder: FinishOrder
  openPayments: () => Promise<OpenPayment[]>
  cartLimit: () => Promise<number | undefined>
}

export const paymentParts = defineParts({
  build(shop: PaymentShop): PaymentParts {
    const payments = createPayments(shop)
    const askedPayments = payments && createAskedPayments(shop, payments)
    const problems = async () => (await payments?.problems(await askedPayments?.paid())) ?? []
    return {
      payments: payments && { ...payments, problems },
      askedPayments,
      nightlyComparison: payments && createNightlyComparison(shop, payments),
      finishOrder: createFinishOrder(shop, payments),
      cartLimit: createCartLimit(shop),
      openPayments: async () => readOpenPayments(shop, await problems()),
    }
  },
  async start({ log }: Shop, { cartLimit }: PaymentParts) {
    try {
      const number = await cartLimit()
      if (number !== undefined) log.warn({}, englishText('alertCartsTooLong_other', { number }))
    } catch (error) {
      // A shop whose tables are not there yet starts all the same.
      log.error({ err: error }, 'How many lines a cart may have could not be read')
    }
  },
  workers: (_shop: Shop, { askedPayments, nightlyComparison }: PaymentParts) => [
    ...(askedPayments?.workers ?? []),
    ...(nightlyComparison ? [nightlyComparison.worker] : []),
  ],
  matters: (_shop: Shop, { payments, cartLimit, nightlyComparison }: PaymentParts) =>
    featureMatters(paymentMatters, () =>
      Promise.resolve(
        payments &&
          nightlyComparison && {
            ...payments,
            cartLimit,
            problems: lazy(() => payments.problems()),
            differing: nightlyComparison.differing,
          },
      ),
    ),
})

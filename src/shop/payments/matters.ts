import {
  countedAtMost,
  gone,
  matterRows,
  open,
  ordersNamed,
  sinceOf,
  watchedSetting,
  type MatterState,
} from '../../core/matter.js'
import type { PaymentProblem, ProblemPayment } from './payment-problem.js'
import type { DifferingOrder } from './compared-amounts.js'
import { amountText } from './payment-tables.js'
import type { Payments } from './payments.js'

/** Undefined in a shop without payments. */
export type PaymentFacts =
  | {
      problems: () => Promise<readonly ProblemPayment[]>
      unpaidOrders: Payments['unpaidOrders']
      /** What the last nights have found, as far as it is still so. */
      differing: () => Promise<readonly DifferingOrder[]>
      /** How many lines a cart may have, where shoppers come close to that. */
      cartLimit: () => Promise<number | undefined>
    }
  | undefined

const row = matterRows<PaymentFacts>()

async function readProblems(
  facts: PaymentFacts,
  problems: readonly PaymentProblem[],
): Promise<MatterState> {
  if (facts === undefined) return 'off'
  const found = (await facts.problems()).filter(({ problem }) => problems.includes(problem))
  const [oldest] = found
  if (oldest === undefined) return gone
  return open({
    count: Math.min(found.length, countedAtMost),
    ...sinceOf(oldest.begunAt),
    payments: found.slice(0, ordersNamed).map(({ id, amount, currency }) => ({
      id,
      number: amountText(amount, currency),
    })),
  })
}

/** What may be wrong between payments and orders. */
export const paymentMatters = {
  paidNoOrder: row({
    of: 'shop',
    text: 'alertPaidNoOrder',
    advice: 'alertPaidNoOrderAdvice',
    over: 'alertPaidNoOrderOver',
    settings: { paidNoOrder: watchedSetting() },
    read: ({ facts }) => readProblems(facts, ['stuck', 'unordered']),
  }),
  paidTwice: row({
    of: 'shop',
    text: 'alertPaidTwice',
    advice: 'alertPaidTwiceAdvice',
    over: 'alertPaidTwiceOver',
    settings: { paidTwice: watchedSetting() },
    read: ({ facts }) => readProblems(facts, ['twice']),
  }),
  unpaidOrders: row({
    of: 'shop',
    text: 'alertUnpaidOrders',
    advice: 'alertUnpaidOrdersAdvice',
    over: 'alertUnpaidOrdersOver',
    settings: { unpaidOrders: watchedSetting() },
    async read({ facts }) {
      if (facts === undefined) return 'off'
      const found = await facts.unpaidOrders()
      const [oldest] = found
      if (oldest === undefined) return gone
      const orders = found.slice(0, ordersNamed).map(({ id, number }) => ({ id, number }))
      return open({ count: found.length, ...sinceOf(oldest.since), orders })
    },
  }),
  amountsDiffer: row({
    of: 'shop',
    adminPath: '/globals/storeconnect?show=tools',
    show: 'paymentsCompared',
    text: 'alertAmountsDiffer',
    advice: 'alertAmountsDifferAdvice',
    over: 'alertAmountsDifferOver',
    settings: { amountsDiffer: watchedSetting() },
    async read({ facts }) {
      if (facts === undefined) return 'off'
      const found = await facts.differing()
      const oldest = found.at(-1)
      if (oldest === undefined) return gone
      const orders = found.slice(0, ordersNamed).map(({ id, number, difference }) => ({
        id,
        number: `${number} (${difference})`,
      }))
      return open({ count: found.length, ...sinceOf(oldest.since), orders })
    },
  }),
  cartsTooLong: row({
    of: 'shop',
    text: 'alertCartsTooLong',
    advice: 'alertCartsTooLongAdvice',
    // It has no switch: it is for the developer, and nobody has to hear of it at night.
    async read({ facts }) {
      if (facts === undefined) return 'off'
      const count = await facts.cartLimit()
      return count === undefined ? gone : open({ count })
    },
  }),
} as const

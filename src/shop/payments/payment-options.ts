import * as z from 'zod/mini'
import { callback, schemaOf, type OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'

/** Options for payments. */
export interface PaymentOptions {
  /**
   * The payment methods that are asked about payments which are pending for ten minutes: those with which a shopper pays before
   * the order is confirmed, so that a payment may be made and never confirmed, and whose `confirmOrder` only looks
   * before it calls `finalizeOrder`. Default: `['stripe']`.
   */
  asked?: string[]
  /**
   * For a payment method whose `confirmOrder` needs more of the browser than the id of the payment: returns it for a
   * payment, a document of `transactions`. The method always gets `transactionID`, `cartID`, `customerEmail`, and what it
   * has kept in its own group of the payment, such as Stripe's `paymentIntentID`.
   */
  confirmation?: (
    payment: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown> | Promise<Record<string, unknown>>
}

export interface GivenPaymentOptions {
  /** How orders of payments are finished. */
  payments?: PaymentOptions
}

export const paymentOptions = schemaOf<GivenPaymentOptions>()(
  z.strictObject({
    payments: z.prefault(
      z.strictObject({
        asked: z._default(z.array(z.string()), ['stripe']),
        confirmation: z.optional(callback<PaymentOptions['confirmation']>()),
      }),
      {},
    ),
  }),
)

export type PaymentShop = Shop<OptionsOf<typeof paymentOptions>>

import * as z from 'zod/mini'
import { readStored, storedMoment } from '../../core/database/stored-value.js'
import type { DocumentId } from '../../core/database/document-id.js'
import { createRest, type Worker } from '../../core/workers/worker.js'
import { confirmationOf, confirmPayment } from './confirm-payment.js'
import type { PaymentShop } from './payment-options.js'
import { settledAfterMs } from './payment-problem.js'
import { furthestBackMs } from './payment-tables.js'
import type { Payments } from './payments.js'

const askEveryMs = 60_000

/** What was begun before nobody asked is asked for a day back. */
const beforeFirstMs = 24 * 60 * 60_000

const place = 'storeconnect:payments'

const storedSchema = z.object({
  askedAt: storedMoment,
  /** The pending payments that were made. */
  paid: z.array(z.union([z.number(), z.string()])),
})

/** The ages at which a payment method is asked: at ten minutes, and whenever it is twice as old. */
export const askedAtMs: readonly number[] = Array.from(
  { length: 13 },
  (_, times) => settledAfterMs * 2 ** times,
).filter((age) => age < furthestBackMs)

/**
 * Asks payment methods about payments that are pending, and keeps those that were made: the shopper has paid, and never
 * came back.
 */
export function createAskedPayments(shop: PaymentShop, payments: Payments) {
  const { payload, effects, log, options } = shop
  const methods = options.payments.asked.filter((method) => confirmationOf(payload, method))
  const rest = createRest(shop)
  const stored = () => readStored(payload, place, storedSchema)

  /** Whether the payment method says that it was made: it goes on to claim the payment, which ends there. */
  async function isMade(id: DocumentId): Promise<boolean> {
    let isClaimed = false
    const claim = () => {
      isClaimed = true
      return Promise.reject(new Error('Nothing is written: it was only asked.'))
    }
    await confirmPayment(shop, id, { claim, isAsking: true }).catch((error: unknown) => {
      log.warn({ err: error, payment: id }, 'A payment method could not be asked about a payment')
    })
    return isClaimed
  }

  async function ask(): Promise<void> {
    const now = effects.now()
    const { askedAt, paid = [] } = (await stored()) ?? {}
    const since = askedAt ?? new Date(now.getTime() - beforeFirstMs)
    const made = await payments.stillPending(paid)
    for (const id of await payments.toAsk({ methods, ages: askedAtMs, since, now })) {
      if (!made.includes(id) && (await isMade(id))) made.push(id)
    }
    await payload.kv.set(place, { askedAt: now.toISOString(), paid: made })
    rest.for(askEveryMs)
  }

  return {
    /** The pending payments that were made. */
    paid: async (): Promise<readonly DocumentId[]> => (await stored())?.paid ?? [],
    workers: (methods.length > 0
      ? [{ name: 'payments', next: () => rest.next(ask) }]
      : []) satisfies Worker[],
  }
}

import { DateTime } from 'luxon'
import * as z from 'zod/mini'
import { readStored } from '../../core/database/stored-value.js'
import { lastNight } from '../../core/workers/last-night.js'
import { createRest, type Worker } from '../../core/workers/worker.js'
import type { PaymentShop } from './payment-options.js'
import type { DifferingOrder } from './compared-amounts.js'
import type { Payments } from './payments.js'

/** Nights that nothing ran are made good for so many days. */
const longestGapDays = 14

const lookEveryMs = 10 * 60_000

const place = 'storeconnect:compared'

const storedSchema = z.object({
  /** The day from which on nothing is compared yet, such as `2026-01-31`. */
  until: z.iso.date(),
  /** The orders that differed. */
  orders: z.array(z.union([z.number(), z.string()])),
})

/**
 * Compares each night what was paid on the day before with the orders, and keeps those that differ. A day begins by the
 * shop's clock.
 */
export function createNightlyComparison(shop: PaymentShop, payments: Payments) {
  const { payload, effects, options } = shop
  const rest = createRest(shop)
  const stored = () => readStored(payload, place, storedSchema)

  /** The orders of this list that still differ. */
  async function stillDiffering(): Promise<DifferingOrder[]> {
    const { orders = [] } = (await stored()) ?? {}
    return orders.length === 0 ? [] : payments.differing({ orders })
  }

  async function compare(): Promise<void> {
    const to = lastNight(effects.now(), options.timezone).startOf('day')
    const begin = (await stored())?.until ?? to.minus({ days: 1 }).toISODate()
    const from = DateTime.max(
      DateTime.fromISO(begin ?? '', { zone: options.timezone }),
      to.minus({ days: longestGapDays }),
    )
    if (from < to) {
      const found = await payments.differing({ from: from.toJSDate(), to: to.toJSDate() })
      const orders = [...found, ...(await stillDiffering())].map(({ id }) => id)
      await payload.kv.set(place, { until: to.toISODate(), orders: [...new Set(orders)] })
    }
    rest.for(lookEveryMs)
  }

  return {
    /** The orders of past days that differ from what was paid for them, the newest first. */
    differing: stillDiffering,
    worker: { name: 'comparison', next: () => rest.next(compare) } satisfies Worker,
  }
}

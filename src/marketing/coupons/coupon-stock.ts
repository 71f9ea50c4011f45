import * as z from 'zod/mini'
import type { OptionsOf } from '../../core/options-schema.js'
import type { Shop } from '../../core/shop.js'
import { putOff, type Did } from '../delivery/did.js'
import type { KlaviyoError } from '../klaviyo/call-answer.js'
import type { CouponCode } from '../klaviyo/coupons.js'
import { callLimits } from '../klaviyo/limits.js'
import type { CouponCalling } from './coupon-calls.js'
import { isCode, type couponOptions } from './coupon-options.js'
import type { CouponProgress } from './coupon-progress.js'

export type Coupons = NonNullable<OptionsOf<typeof couponOptions>['coupons']>

/** How often it is counted what Klaviyo has left. */
const countEveryMs = 10 * 60_000

/** Klaviyo's own limit for a code without one. */
const yearMs = 365 * 24 * 60 * 60_000

const madeCodes = (atMost: number) =>
  z
    .array(
      z.object({
        code: z
          .string()
          .check(z.refine(isCode, { error: 'is not 8 to 64 letters, digits, - or _' })),
        expiresAt: z.optional(z.date()),
      }),
    )
    .check(z.maxLength(atMost))

/** Keeps a stock of codes at Klaviyo: counts what is left there, and has the store make what is missing. */
export function createCouponStock(
  shop: Shop,
  {
    work,
    klaviyo,
    klaviyoSessions,
    coupons,
    progress,
    note,
  }: Omit<CouponCalling, 'coupon'> & {
    coupons: Coupons
    progress: () => CouponProgress | undefined
    note: (news: Pick<CouponProgress, 'countedAt' | 'problem'>) => Promise<void>
  },
) {
  const { payload, effects, waits, log } = shop
  const { id: coupon, stock } = coupons
  let putOffUntil = 0
  let count: { free: number; cursor?: string } = { free: 0 }
  let missing = 0

  /** The stock is counted anew in ten minutes, by whatever process. */
  async function rest(problem?: KlaviyoError): Promise<Did> {
    count = { free: 0 }
    missing = 0
    await note({ countedAt: effects.now(), problem })
    return 'something'
  }

  function isCountDue(): boolean {
    const { countedAt } = progress() ?? {}
    const ms = effects.now().getTime() - (countedAt?.getTime() ?? -Infinity)
    // The clock may have been set back.
    return ms >= countEveryMs || ms < 0
  }

  async function makeCoupon(): Promise<Did> {
    const answer = await klaviyoSessions.ask({
      name: 'new-coupon',
      items: 1,
      make: (options) => klaviyo.createCoupon(coupons, options),
    })
    if (answer !== undefined && 'is' in answer) return 'something'
    if (answer === undefined || !('failed' in answer) || answer.failed.is !== 'refused')
      return (putOffUntil = putOff(shop, answer))
    return rest(answer.failed.error)
  }

  async function countNext(): Promise<Did> {
    const answer = await klaviyoSessions.ask({
      name: 'coupon-codes',
      items: 100,
      make: (options) => klaviyo.readFreeCodes({ coupon, cursor: count.cursor }, options),
    })
    if (answer === undefined || !('codes' in answer)) {
      // Klaviyo may not know an old page any more.
      count = { free: 0 }
      return (putOffUntil = putOff(shop, answer))
    }
    if (answer.codes === 'no-coupon') return makeCoupon()
    const { free, next } = answer.codes
    count = { free: count.free + free, ...(next !== undefined && { cursor: next }) }
    if (count.free >= stock / 2) return rest()
    if (next !== undefined) return 'something'
    missing = stock - count.free - (await work.pending())
    return missing > 0 ? 'something' : rest()
  }

  async function make(): Promise<Did> {
    const made = await makeCodes(Math.min(missing, callLimits['coupon-job'].items))
    if (made === undefined) return rest(makeFailed)
    const added = await work.add(made)
    if (added === 0) return rest(noneNew)
    missing -= added
    return missing > 0 ? 'something' : rest()
  }

  /** Undefined when the store's own code failed. */
  async function makeCodes(wanted: number): Promise<CouponCode[] | undefined> {
    try {
      const made = madeCodes(wanted).parse(await coupons.makeCodes({ count: wanted, payload }))
      const inAYear = new Date(effects.now().getTime() + yearMs)
      return made.map(({ code, expiresAt = inAYear }) => ({ code, expiresAt }))
    } catch (error) {
      log.error({ err: error }, 'The store could not make coupon codes')
      return undefined
    }
  }

  return async (): Promise<Did> => {
    if (missing > 0) return make()
    if (waits.now().getTime() < putOffUntil) return putOffUntil
    return isCountDue() ? countNext() : 'nothing'
  }
}

const makeFailed: KlaviyoError = {
  code: 'CODES_NOT_MADE',
  detail: 'The shop could not make codes. Its log says why.',
}

const noneNew: KlaviyoError = {
  code: 'CODES_NOT_NEW',
  detail: 'The shop made no codes that it had not made before.',
}

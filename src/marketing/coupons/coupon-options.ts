import type { BasePayload } from 'payload'
import * as z from 'zod/mini'
import { callback, schemaOf } from '../../core/options-schema.js'

/** A code that the store has made. */
export interface MadeCode {
  /** Letters, digits, `-` and `_`: 8 to 64 of them, that nobody can guess. */
  code: string
  /** Until when it can be used. Default: a year. */
  expiresAt?: Date | undefined
}

export interface GivenCoupons {
  /**
   * The id of the coupon in Klaviyo, by which mails name it: `{% coupon_code 'COME-BACK' %}`. Letters, digits, `-` and
   * `_`, up to 64. The coupon is made there when it is missing.
   */
  id: string
  /** What the coupon gives, for whoever writes mails in Klaviyo. Default: nothing. */
  description?: string
  /**
   * How many codes Klaviyo has to give out, from 2 to 10,000. When more than half of them are gone, new ones are made.
   * Make it larger than your largest campaign. Default 1000.
   */
  stock?: number
  /**
   * Makes codes that your checkout takes, each once, and returns them: at most `count`, which is up to 1000. When it
   * throws, that is logged and told to the merchant, and it is called again after ten minutes.
   */
  makeCodes: (wanted: {
    count: number
    payload: BasePayload
  }) => readonly MadeCode[] | Promise<readonly MadeCode[]>
}

export interface CouponOptions {
  /** Gives Klaviyo a stock of discount codes (`docs/coupons.md`). Default: none. */
  coupons?: GivenCoupons
}

export const couponOptions = schemaOf<CouponOptions>()(
  z.strictObject({
    coupons: z.optional(
      z.strictObject({
        id: z.string().check(z.regex(/^[\w-]{1,64}$/)),
        description: z.optional(z.string().check(z.minLength(1))),
        stock: z._default(z.int().check(z.minimum(2), z.maximum(10_000)), 1000),
        makeCodes: callback<GivenCoupons['makeCodes']>(),
      }),
    ),
  }),
)

/** Whether a text may be a code: a template writes it into a link as it is. */
export const isCode = (text: string): boolean => /^[\w-]{8,64}$/.test(text)

import type { AcceptCode } from '../../core/feature.js'
import { createLoginThrottle } from '../../core/http/login-throttle.js'
import type { HttpParts } from '../../core/http/parts.js'
import type { Shop } from '../../core/shop.js'
import type { CouponCodes } from './coupon-codes.js'
import { isCode } from './coupon-options.js'

/** Looks up the code of a link. Wrong ones are counted like wrong passwords: by client IP, and by cart. */
export function createCodeCheck(
  { effects, log }: Shop,
  { counts, codes }: HttpParts & { codes: CouponCodes },
): AcceptCode {
  const throttle = createLoginThrottle('coupon codes', { counts, log, now: effects.now })
  return async (code, { clientIp, cart }) => {
    if (!isCode(code)) return false
    const one = { clientIp, account: cart }
    if ((await throttle.try(one)) > 0 || !(await codes.isGood(code, effects.now()))) return false
    await throttle.succeeded(one)
    return true
  }
}

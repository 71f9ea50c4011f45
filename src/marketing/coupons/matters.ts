import { gone, matterRows, open, watchedSetting } from '../../core/matter.js'
import { klaviyoErrorText } from '../klaviyo/klaviyo-error-text.js'

/** Why there are no new codes, or fewer; undefined when nothing is wrong. */
export interface CouponFacts {
  problem: { code: string; detail: string } | undefined
}

const row = matterRows<CouponFacts>()

export const couponMatters = {
  couponsRefused: row({
    of: 'Klaviyo',
    adminPath: '/globals/marketing-settings',
    show: 'overviewMarketingSettings',
    text: 'alertCouponsRefused',
    advice: 'alertCouponsRefusedAdvice',
    over: 'alertCouponsRefusedOver',
    sayReason: klaviyoErrorText,
    settings: { couponsRefused: watchedSetting() },
    read({ facts: { problem } }) {
      if (problem === undefined) return gone
      return open({ reason: { code: problem.code, detail: problem.detail } })
    },
  }),
} as const

import type { Answer, AnswerParts, Call } from './answer-parts.ts'
import type { CallName } from './calls.ts'
import { catalogAnswers, stockAnswers } from './catalog-answers.ts'
import { couponAnswers } from './coupon-answers.ts'
import { eventAnswers } from './event-answers.ts'
import { listAnswers } from './list-answers.ts'
import { metricAnswers } from './metric-answers.ts'
import { profileAnswers } from './profile-answers.ts'
import { accountResource } from './resources.ts'

/** What each endpoint does and answers. */
export const answers = (parts: AnswerParts): Record<CallName, (call: Call) => Answer> => ({
  ...eventAnswers(parts),
  ...profileAnswers(parts),
  ...listAnswers(parts),
  ...metricAnswers(parts),
  ...catalogAnswers(parts),
  ...stockAnswers(parts),
  ...couponAnswers(parts),

  account({ url }) {
    const self = new URL(url.pathname, url.origin).href
    return { status: 200, document: { data: [accountResource(url.origin)], links: { self } } }
  },
})

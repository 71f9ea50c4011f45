import type { TranslationKey } from '../payload/label.js'

/** What a condition was read from. It is stored with the alert, so it holds no personal data. */
export interface AlertFacts {
  /** How many there are; `countedAtMost` stands for that many or more. */
  count?: number
  /** Since when it is so, as an ISO date: the last pull, the oldest order, the oldest send. */
  since?: string
}

/** Counting stops here: a larger number tells a merchant nothing more. */
export const countedAtMost = 100

interface ConditionTexts {
  /** What is wrong, in a sentence. It may have `{{number}}`, `{{since}}` and `{{limit}}`. */
  text: TranslationKey
  /** What a merchant does about it. */
  advice: TranslationKey
  /** That it is over, in a sentence. */
  over: TranslationKey
  /** The page of the admin that helps. */
  page: `/${string}`
}

/** What the watchman looks for. A setting of the same name switches each condition on or off. */
export const conditions = {
  noPull: {
    text: 'alertNoPull',
    advice: 'alertNoPullAdvice',
    over: 'alertNoPullOver',
    page: '/globals/storeconnect',
  },
  unshipped: {
    text: 'alertUnshipped',
    advice: 'alertUnshippedAdvice',
    over: 'alertUnshippedOver',
    page: '/globals/storeconnect',
  },
  ordersSkipped: {
    text: 'alertOrdersSkipped',
    advice: 'alertOrdersSkippedAdvice',
    over: 'alertOrdersSkippedOver',
    page: '/collections/shipping-skipped-orders',
  },
  credentialsRefused: {
    text: 'alertCredentialsRefused',
    advice: 'alertCredentialsRefusedAdvice',
    over: 'alertCredentialsRefusedOver',
    page: '/globals/shipping-settings',
  },
  keyRefused: {
    text: 'alertKeyRefused',
    advice: 'alertKeyRefusedAdvice',
    over: 'alertKeyRefusedOver',
    page: '/globals/marketing-settings',
  },
  sendsFailed: {
    text: 'alertSendsFailed',
    advice: 'alertSendsFailedAdvice',
    over: 'alertSendsFailedOver',
    page: '/collections/marketing-sends?where[or][0][and][0][state][equals]=failed',
  },
  sendsWaiting: {
    text: 'alertSendsWaiting',
    advice: 'alertSendsWaitingAdvice',
    over: 'alertSendsWaitingOver',
    page: '/globals/storeconnect',
  },
} satisfies Record<string, ConditionTexts>

export type Condition = keyof typeof conditions

export const conditionNames = Object.keys(conditions) as [Condition, ...Condition[]]

export const isCondition = (name: unknown): name is Condition =>
  typeof name === 'string' && Object.hasOwn(conditions, name)

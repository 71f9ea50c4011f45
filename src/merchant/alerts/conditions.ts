import type { TranslationKey } from '../../core/payload/label.js'
import type { AlertSettings } from './alert-settings.js'

/** How many orders are named. A merchant finds the others beside them. */
export const ordersNamed = 5

/** Counting stops here: a larger number tells a merchant nothing more. */
export const countedAtMost = 100

interface ConditionRow {
  /** What is wrong, in a sentence. It may have `{{number}}`, `{{since}}`, `{{refused}}`, `{{until}}`, `{{page}}` and `{{pages}}`. */
  text: TranslationKey
  /** What a merchant does about it. */
  advice: TranslationKey
  /** What is said when the condition is over, in a sentence. */
  over: TranslationKey
  /** The page of the admin that helps. */
  page: `/${string}`
  /** The settings that say what is looked for. */
  settings: readonly (keyof AlertSettings)[]
}

/** What the watchman looks for. A setting of the same name switches each condition on or off. */
export const conditions = {
  noPull: {
    text: 'alertNoPull',
    advice: 'alertNoPullAdvice',
    over: 'alertNoPullOver',
    page: '/globals/storeconnect',
    settings: ['noPullHours', 'businessDays', 'paidStatuses'],
  },
  unshipped: {
    text: 'alertUnshipped',
    advice: 'alertUnshippedAdvice',
    over: 'alertUnshippedOver',
    page: '/globals/storeconnect',
    settings: ['unshippedHours', 'businessDays', 'paidStatuses'],
  },
  windowStopped: {
    text: 'alertWindowStopped',
    advice: 'alertWindowStoppedAdvice',
    over: 'alertWindowStoppedOver',
    page: '/collections/shipping-pulls?where[or][0][and][0][state][equals]=stopped',
    settings: ['windowStoppedMinutes'],
  },
  firstPageOnly: {
    text: 'alertFirstPageOnly',
    advice: 'alertFirstPageOnlyAdvice',
    over: 'alertFirstPageOnlyOver',
    page: '/collections/shipping-pulls?where[or][0][and][0][state][equals]=stopped',
    settings: ['windowStoppedMinutes'],
  },
  nothingFound: {
    text: 'alertNothingFound',
    advice: 'alertNothingFoundAdvice',
    over: 'alertNothingFoundOver',
    page: '/collections/shipping-pulls',
    settings: ['nothingFoundHours', 'paidStatuses'],
  },
  endedShipped: {
    text: 'alertEndedShipped',
    advice: 'alertEndedShippedAdvice',
    over: 'alertEndedShippedOver',
    page: '/collections/shipping-notices',
    settings: [],
  },
  ordersSkipped: {
    text: 'alertOrdersSkipped',
    advice: 'alertOrdersSkippedAdvice',
    over: 'alertOrdersSkippedOver',
    page: '/collections/shipping-skipped-orders?where[or][0][and][0][isFailure][equals]=true',
    settings: [],
  },
  credentialsRefused: {
    text: 'alertCredentialsRefused',
    advice: 'alertCredentialsRefusedAdvice',
    over: 'alertPulled',
    page: '/globals/shipping-settings',
    settings: ['credentialsRefusedMinutes'],
  },
  keyRefused: {
    text: 'alertKeyRefused',
    advice: 'alertKeyRefusedAdvice',
    over: 'alertKeyRefusedOver',
    page: '/globals/marketing-settings',
    settings: [],
  },
  revisionEnds: {
    text: 'alertRevisionEnds',
    advice: 'alertRevisionEndsAdvice',
    over: 'alertRevisionEndsOver',
    page: '/globals/storeconnect',
    settings: [],
  },
  sendsFailed: {
    text: 'alertSendsFailed',
    advice: 'alertSendsFailedAdvice',
    over: 'alertSendsFailedOver',
    page: '/collections/marketing-sends?where[or][0][and][0][state][equals]=failed',
    settings: [],
  },
  sendsWaiting: {
    text: 'alertSendsWaiting',
    advice: 'alertSendsWaitingAdvice',
    over: 'alertSendsWaitingOver',
    page: '/globals/storeconnect',
    settings: ['sendsWaitingMinutes', 'keyRefused', 'revisionEnds'],
  },
} as const satisfies Record<string, ConditionRow>

export type Condition = keyof typeof conditions

export const conditionNames = Object.keys(conditions) as [Condition, ...Condition[]]

export const isCondition = (name: unknown): name is Condition =>
  typeof name === 'string' && Object.hasOwn(conditions, name)

/**
 * The settings of each condition as a text. Two such texts differ when the settings were changed, or the
 * time zone whose business days count.
 */
export function rulesOf(settings: AlertSettings, timezone: string): Record<Condition, string> {
  const rules = { ...settings, businessDays: settings.businessDays && timezone }
  return Object.fromEntries(
    conditionNames.map((name) => [
      name,
      JSON.stringify(conditions[name].settings.map((setting) => rules[setting])),
    ]),
  ) as Record<Condition, string>
}

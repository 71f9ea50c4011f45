import { keyRefusal } from '../../../marketing/delivery/key-refusal.js'
import type { OverviewFacts } from '../../overview/overview.js'
import type { ShippingSettingsProblem } from '../../overview/read-overview.js'
import type { FailedRequest } from '../../../shipping/shipstation-requests.js'
import type { TranslationKey } from '../../../core/payload/label.js'
import type { BasePayload } from 'payload'
import {
  revisionEndsAt,
  revisionEndsFrom,
  revisionRetired,
} from '../../../marketing/klaviyo/ask-api.js'
import type { KlaviyoError } from '../../../marketing/klaviyo/call-answer.js'
import { marketingSettingsSlug } from '../../../marketing/settings/marketing-settings.js'
import { pullsSlug } from '../../../shipping/pull-collection.js'
import { skippedOrdersSlug } from '../../../shipping/export/skipped-orders.js'
import { alertSettingsPage } from '../../alerts/alert-settings.js'
import { failuresPath } from '../../../marketing/delivery/failures-path.js'
import { sendsSlug } from '../../../marketing/delivery/send-table.js'
import { shippingSettingsSlug } from '../../../shipping/shipping-settings.js'
import { adminUrl } from '../admin-urls.js'

type ShippingFacts = OverviewFacts['shipping']
type MarketingFacts = OverviewFacts['marketing']

export type PlaceUrls = Readonly<
  Record<ProblemPlace | 'alert-settings' | 'all-skipped-orders' | 'failures' | 'pulls', string>
>

/** The pages of the admin where a merchant solves problems. */
export function placeUrls({ config }: Pick<BasePayload, 'config'>): PlaceUrls {
  const urlOf = (path: `/${string}`) => adminUrl(config, path)
  const sends = urlOf(`/collections/${sendsSlug}`)
  const skippedOrders = urlOf(`/collections/${skippedOrdersSlug}`)
  const inState = (state: string, place = 0) =>
    `where[or][${place}][and][0][state][equals]=${state}`
  return {
    'shipping-settings': urlOf(`/globals/${shippingSettingsSlug}`),
    'marketing-settings': urlOf(`/globals/${marketingSettingsSlug}`),
    'skipped-orders': `${skippedOrders}?where[or][0][and][0][isFailure][equals]=true`,
    'all-skipped-orders': skippedOrders,
    'alert-settings': urlOf(`/globals/${alertSettingsPage.slug}`),
    failures: urlOf(failuresPath),
    pulls: urlOf(`/collections/${pullsSlug}`),
    'failed-sends': `${sends}?${inState('failed')}`,
    'waiting-sends': `${sends}?${inState('queued')}&${inState('sending', 1)}`,
  }
}

/** Whether ShipStation or Klaviyo works, for a merchant. */
export interface IntegrationState {
  is: 'works' | 'needs-you' | 'not-used-yet' | 'not-set-up'
  /** The present problems. Solved ones are not among them. */
  problems: IntegrationProblem[]
}

export interface IntegrationProblem {
  /** Says what is wrong and what to do. */
  text: TranslationKey
  variables?: Record<string, string>
  /** What to do, where the text does not say it. */
  advice?: TranslationKey
  /** What Klaviyo answered: the variable `reason`. */
  reason?: Pick<KlaviyoError, 'code' | 'detail'>
  /** Picks the singular or the plural of the text. */
  count?: number
  at?: Date | undefined
  /** The moment that the text names: the variable `until`. */
  until?: Date
  /** Where the merchant solves it; undefined when that is outside the admin, or on this page. */
  place?: ProblemPlace
}

export type ProblemPlace =
  'shipping-settings' | 'marketing-settings' | 'skipped-orders' | 'failed-sends' | 'waiting-sends'

/** With automatic imports, ShipStation asks several times a day. */
const quietAfterMs = 24 * 3_600_000

/** Delivery takes seconds, but a store may run Payload's jobs only once an hour. */
const stuckAfterMs = 2 * 3_600_000

const settingsTexts: Readonly<Record<ShippingSettingsProblem, TranslationKey>> = {
  'store-field': 'problemStoreField',
  'blank-name': 'problemBlankName',
  'shipped-status': 'problemShippedStatus',
  'tracking-field': 'problemTrackingField',
}

export function shippingState(facts: ShippingFacts, now: Date): IntegrationState {
  const { settings, settingsProblem, settingsSavedAt: savedAt, lastPull, skipped } = facts
  const { username, password } = settings.credentials
  const isClosed = username === '' || password === ''
  const isQuiet = lastPull !== undefined && msBetween(lastPull.at, now) > quietAfterMs
  const place = 'shipping-settings'
  const closedText = settings.isPasswordUnreadable ? 'passwordUnreadable' : 'problemCredentials'
  return stateOf({
    setUp: when(isClosed, { text: closedText, place }),
    firstUse: when(!isClosed && lastPull === undefined, { text: 'problemNeverPulled' }),
    others: [
      ...(settingsProblem
        ? [{ text: settingsTexts[settingsProblem], at: savedAt, place } as const]
        : []),
      ...facts.failures.filter((failure) => isStillFailing(failure, facts)).map(failureProblem),
      ...when(isQuiet && !isClosed, { text: 'problemQuiet', at: lastPull?.at }),
      ...when(skipped.count > 0, {
        text: 'problemSkipped',
        count: skipped.count,
        at: skipped.firstAt,
        place: 'skipped-orders',
      }),
    ],
  })
}

/** The errors that only a setting causes. */
const settingCodes: ReadonlySet<FailedRequest['code']> = new Set([
  'SETTING_BLANK',
  'STORE_FIELD_NOT_FOUND',
  'STATUS_NOT_FOUND',
])

/** Whether the failure still counts: no later request has worked, and its cause is still there. */
function isStillFailing({ action, at, code }: FailedRequest, facts: ShippingFacts): boolean {
  const { settings, settingsSavedAt, lastPull, lastShipment, skipped } = facts
  const workedAt = action === 'export' ? lastPull?.at : lastShipment?.at
  if (isAfter(workedAt, at)) return false
  // The present settings are checked by themselves (`settingsProblem`).
  if (settingCodes.has(code)) return false
  if (code === 'ORDER_NOT_VALID') return settings.failOnInvalidOrder && skipped.count > 0
  return !isAfter(settingsSavedAt, at)
}

function failureProblem({ action, at, code }: FailedRequest): IntegrationProblem {
  if (code === 'ORDER_NOT_VALID') {
    return { text: 'problemOrderNotValid', at, place: 'skipped-orders' }
  }
  return { text: action === 'export' ? 'problemExport' : 'problemNotice', at }
}

const keyTexts = {
  missing: 'apiKeyMissing',
  'variable-missing': 'overviewKeyVariable',
  unreadable: 'apiKeyUnreadable',
} as const

export function marketingState(facts: MarketingFacts, now: Date): IntegrationState {
  const { failed, keyProblem, lastMapping, lastSentAt, lastTest } = facts
  if (keyProblem !== undefined) {
    return stateOf({
      setUp: [{ text: keyTexts[keyProblem], place: 'marketing-settings' }],
      firstUse: [],
      others: failedProblems(failed),
    })
  }
  const keyProblems = problemsOfKey(facts)
  const isUntried = lastSentAt === undefined && lastTest === undefined
  return stateOf({
    setUp: [],
    firstUse: when(isUntried && keyProblems.length === 0, { text: 'problemUntried' }),
    others: [
      ...(keyProblems.length > 0 ? keyProblems : problemsOfDelivery(facts, now)),
      ...failedProblems(failed),
      ...when(now >= revisionEndsFrom && keyProblems.every(({ advice }) => advice !== updateIt), {
        text: 'alertRevisionEnds',
        advice: updateIt,
        until: revisionEndsAt,
      }),
      ...when(lastMapping !== undefined && lastMapping.openCount > 0, {
        text: 'metricsUnset',
        variables: { count: String(lastMapping?.openCount) },
        at: lastMapping?.at,
        place: 'marketing-settings',
      }),
    ],
  })
}

/** Why Klaviyo refuses the key or the revision of its API: the newer one of the last refused call and the last test counts. */
function problemsOfKey({ pauses, lastTest, lastSentAt }: MarketingFacts): IntegrationProblem[] {
  const place = 'marketing-settings'
  const retired = pauses.find(({ reason }) => reason === 'retired')
  if (retired) return [{ text: 'alertRevisionRefused', advice: updateIt, at: retired.since }]
  if (lastTest?.missingScopes.length) {
    const variables = { scopes: lastTest.missingScopes.join(', ') }
    return [{ text: 'problemScopes', variables, at: lastTest.at, place }]
  }
  const refused = keyRefusal({ pauses, lastTest })
  if (refused) return [{ text: 'deliveryPaused', at: refused.since, place }]
  if (lastTest?.refusal === undefined || isAfter(lastSentAt, lastTest.at)) return []
  if (lastTest.refusalCode === revisionRetired)
    return [{ text: 'alertRevisionRefused', advice: updateIt, at: lastTest.at }]
  const reason = { code: lastTest.refusalCode ?? '', detail: lastTest.refusal }
  return [{ text: 'connectionFailed', reason, at: lastTest.at, place }]
}

const updateIt = 'alertRevisionEndsAdvice'

const modeTexts = { preview: 'deliveryPreview', stopped: 'deliveryStopped' } as const

/** Why sends wait although they are due, or would. */
function problemsOfDelivery(
  { modeProblem, pauses, waiting }: MarketingFacts,
  now: Date,
): IntegrationProblem[] {
  if (modeProblem !== undefined) return [{ text: modeTexts[modeProblem] }]
  if (waiting.every(({ count }) => count === 0)) return []
  const outage = pauses.find(({ reason }) => reason === 'outage')
  if (outage !== undefined) return [{ text: 'overviewOutage', at: outage.since }]
  const dueSince = waiting
    .flatMap(({ nextAt }) => nextAt ?? [])
    .find((at) => msBetween(at, now) > stuckAfterMs)
  return when(dueSince !== undefined, {
    text: 'problemStuck',
    at: dueSince,
    place: 'waiting-sends',
  })
}

function failedProblems(failed: MarketingFacts['failed']): IntegrationProblem[] {
  const count = failed.reduce((sum, reason) => sum + reason.count, 0)
  const moments = failed.flatMap(({ firstAt }) => firstAt?.getTime() ?? [])
  const at = moments.length === 0 ? undefined : new Date(Math.min(...moments))
  return when(count > 0, { text: 'problemFailed', count, at, place: 'failed-sends' })
}

/** Missing set-up comes first, because it may cause the other problems. */
function stateOf({
  setUp,
  firstUse,
  others,
}: Record<'setUp' | 'firstUse' | 'others', IntegrationProblem[]>): IntegrationState {
  const problems = [...setUp, ...firstUse, ...others]
  if (setUp.length > 0) return { is: 'not-set-up', problems }
  if (firstUse.length > 0) return { is: 'not-used-yet', problems }
  return { is: others.length > 0 ? 'needs-you' : 'works', problems }
}

const when = (is: boolean, problem: IntegrationProblem): IntegrationProblem[] =>
  is ? [problem] : []

const msBetween = (from: Date, to: Date) => to.getTime() - from.getTime()

const isAfter = (at: Date | undefined, other: Date) => at !== undefined && at > other

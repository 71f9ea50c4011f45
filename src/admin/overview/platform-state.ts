import { misconfiguredPauseMs } from '../../delivery/call-pause.js'
import type {
  MarketingFacts,
  ShippingFacts,
  ShippingSettingsProblem,
} from '../../store/overview.js'
import type { FailedVisit } from '../../store/platform-visits.js'
import type { TranslationKey } from '../../store/payload/label.js'

/** How a platform is, as a merchant wants to know it. */
export interface PlatformState {
  is: 'works' | 'needs-you' | 'not-set-up'
  /** What is wrong now; what was mended since is not among it. */
  problems: PlatformProblem[]
}

export interface PlatformProblem {
  /** What is wrong and what to do about it. */
  text: TranslationKey
  variables?: Record<string, string>
  /** Picks the singular or the plural of the text. */
  count?: number
  at?: Date | undefined
  /** Where it is mended; undefined when that is outside of the admin, or on the page itself. */
  place?: ProblemPlace
}

export type ProblemPlace =
  'shipping-settings' | 'marketing-settings' | 'skipped-orders' | 'failed-sends' | 'waiting-sends'

/** ShipStation comes several times a day where orders are imported by themselves. */
const quietAfterMs = 24 * 3_600_000

/** Delivery takes seconds, and Payload's jobs may be run once an hour. */
const stuckAfterMs = 2 * 3_600_000

const settingsTexts: Readonly<Record<ShippingSettingsProblem, TranslationKey>> = {
  'store-field': 'problemStoreField',
  'blank-name': 'problemBlankName',
  'shipped-status': 'problemShippedStatus',
  'tracking-field': 'problemTrackingField',
}

export function shippingState(facts: ShippingFacts, now: Date): PlatformState {
  const { settings, settingsProblem, settingsSavedAt: savedAt, lastPull, skipped } = facts
  const { username, password } = settings.credentials
  const isClosed = username === '' || password === ''
  const isQuiet = lastPull !== undefined && msBetween(lastPull.at, now) > quietAfterMs
  return stateOf({
    setUp: isClosed
      ? [
          {
            text: settings.isPasswordUnreadable ? 'passwordUnreadable' : 'problemCredentials',
            place: 'shipping-settings',
          },
        ]
      : when(lastPull === undefined, { text: 'problemNeverPulled' }),
    others: [
      ...(settingsProblem
        ? [{ text: settingsTexts[settingsProblem], at: savedAt, place } as const]
        : []),
      ...facts.failures.filter((failure) => isStillFailing(failure, facts)).map(failureProblem),
      ...when(isQuiet && !isClosed, { text: 'problemQuiet', at: lastPull?.at }),
      ...when(skipped.count > 0, {
        text: 'problemSkipped',
        count: skipped.count,
        at: skipped.newestAt,
        place: 'skipped-orders',
      }),
    ],
  })
}

const place = 'shipping-settings'

/** Neither did a later request go well, nor was the cause mended. */
function isStillFailing({ action, at, code }: FailedVisit, facts: ShippingFacts): boolean {
  const { settings, settingsSavedAt, lastPull, lastShipment, skipped } = facts
  const wentWellAt = action === 'export' ? lastPull?.at : lastShipment?.at
  if (isAfter(wentWellAt, at)) return false
  // The settings as they are now say more than a request that met others.
  if (code === 'SETTING_BLANK' || code === 'STATUS_NOT_FOUND') return false
  if (code === 'ORDER_NOT_VALID') return settings.failOnInvalidOrder && skipped.count > 0
  return !isAfter(settingsSavedAt, at)
}

function failureProblem({ action, at, code }: FailedVisit): PlatformProblem {
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

export function marketingState(facts: MarketingFacts, now: Date): PlatformState {
  const { failed, keyProblem, lastSentAt, lastTest } = facts
  if (keyProblem !== undefined) {
    return stateOf({
      setUp: [{ text: keyTexts[keyProblem], place: 'marketing-settings' }],
      others: failedProblems(failed),
    })
  }
  const keyProblems = problemsOfKey(facts)
  const isUntried = lastSentAt === undefined && lastTest === undefined
  return stateOf({
    setUp: when(isUntried && keyProblems.length === 0, { text: 'problemUntried' }),
    others: [
      ...(keyProblems.length > 0 ? keyProblems : problemsOfDelivery(facts, now)),
      ...failedProblems(failed),
    ],
  })
}

/** What Klaviyo has against the key; nothing more than the last test, where that was later. */
function problemsOfKey({ pauses, lastTest, lastSentAt }: MarketingFacts): PlatformProblem[] {
  const place = 'marketing-settings'
  const refused = pauses.find(({ reason }) => reason === 'misconfigured')
  if (lastTest?.missingScopes.length) {
    const variables = { scopes: lastTest.missingScopes.join(', ') }
    return [{ text: 'problemScopes', variables, at: lastTest.at, place }]
  }
  const isRefusedByTest = lastTest?.refusal !== undefined && !isAfter(lastSentAt, lastTest.at)
  // Each call that is refused begins the pause anew.
  const refusedAt = refused && new Date(refused.until.getTime() - misconfiguredPauseMs)
  const isTestNewer = refusedAt !== undefined && isAfter(lastTest?.at, refusedAt)
  if (refused !== undefined && !isTestNewer) {
    return [{ text: 'deliveryPaused', at: refused.since, place }]
  }
  return isRefusedByTest
    ? [
        {
          text: 'connectionFailed',
          variables: { reason: lastTest.refusal ?? '' },
          at: lastTest.at,
          place,
        },
      ]
    : []
}

/** What keeps sends waiting that are due. */
function problemsOfDelivery({ pauses, waiting }: MarketingFacts, now: Date): PlatformProblem[] {
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

function failedProblems(failed: MarketingFacts['failed']): PlatformProblem[] {
  const count = failed.reduce((sum, reason) => sum + reason.count, 0)
  const moments = failed.flatMap(({ newestAt }) => newestAt?.getTime() ?? [])
  const at = moments.length === 0 ? undefined : new Date(Math.max(...moments))
  return when(count > 0, { text: 'problemFailed', count, at, place: 'failed-sends' })
}

/** What is not set up is said first: it may be the cause of the rest. */
const stateOf = ({
  setUp,
  others,
}: Record<'setUp' | 'others', PlatformProblem[]>): PlatformState => ({
  is: setUp.length > 0 ? 'not-set-up' : others.length > 0 ? 'needs-you' : 'works',
  problems: [...setUp, ...others],
})

const when = (is: boolean, problem: PlatformProblem): PlatformProblem[] => (is ? [problem] : [])

const msBetween = (from: Date, to: Date) => to.getTime() - from.getTime()

const isAfter = (at: Date | undefined, other: Date) => at !== undefined && at > other

import {
  gone,
  open,
  matterRows,
  sinceOf,
  watchedSection,
  watchedSetting,
  type ExistingAlert,
  type MatterState,
} from '../../core/matter.js'
import { countSetting } from '../../core/payload/setting-kinds.js'
import type { ConnectionTest } from '../klaviyo/check-account.js'
import { keyFeatures, type KeyFeatureName } from '../klaviyo/key-scopes.js'
import { klaviyoErrorText } from '../klaviyo/klaviyo-error-text.js'
import type { PauseReason } from './call-log.js'
import type { DeliveryFacts } from './delivery-facts.js'
import type { DeliveryStatus } from './klaviyo-sessions.js'

const minuteMs = 60_000

const settingsPage = {
  adminPath: '/globals/marketing-settings',
  show: 'overviewMarketingSettings',
} as const
const sends = '/collections/marketing-sends?where[or][0][and][0][state][equals]'
const of = 'Klaviyo'

const shared = { keyRefused: watchedSetting(), revisionEnds: watchedSetting() }

const row = matterRows<DeliveryFacts, typeof shared>()

const pauseOf = ({ pauses }: DeliveryFacts, why: PauseReason) =>
  pauses.find(({ reason }) => reason === why)

/** Klaviyo has taken something since the matter began. What no longer refuses need not have been asked. */
function acceptedSince(
  existing: ExistingAlert | undefined,
  moments: readonly (Date | undefined)[],
): MatterState {
  if (existing === undefined) return gone
  return moments.some((at) => at !== undefined && at > existing.begunAt) ? gone : 'unknown'
}

/** The pause because Klaviyo refuses the key, unless the key was tested since: then the test says what is wrong. */
function keyRefusal({
  pauses,
  lastTest,
}: Pick<DeliveryStatus, 'pauses'> & { lastTest: Pick<ConnectionTest, 'at'> | undefined }) {
  const refusal = pauses.find(({ reason }) => reason === 'misconfigured')
  const isTestNewer = refusal !== undefined && lastTest !== undefined && lastTest.at > refusal.at
  return isTestNewer ? undefined : refusal
}

/** Why Klaviyo refuses the key: the newer one of the last refused call and the last test counts. */
function readRefusal(facts: DeliveryFacts): MatterState | undefined {
  const { lastSentAt, lastTest } = facts
  const accepted = lastTest?.refusal === undefined ? lastTest : undefined
  const refused = keyRefusal({ pauses: facts.pauses, lastTest: accepted })
  if (refused !== undefined) return open({ ...sinceOf(refused.since) })
  if (lastTest?.refusal === undefined || facts.isRevisionRefused) return undefined
  if (lastSentAt !== undefined && lastSentAt > lastTest.at) return undefined
  const reason = { code: lastTest.refusalCode ?? '', detail: lastTest.refusal }
  return open({ text: 'connectionFailed', reason, ...sinceOf(lastTest.at) })
}

/** The key lacks a scope of this feature. */
const lackingFor = (name: KeyFeatureName) =>
  row({
    of,
    ...settingsPage,
    text: 'problemScopes',
    off: keyFeatures[name].off,
    over: 'alertKeyRefusedOver',
    settings: { keyRefused: shared.keyRefused },
    switchOf: 'keyRefused',
    read({ facts: { keyProblem, lacking, lastTest, lastSentAt }, existing }) {
      if (keyProblem !== undefined) return 'off'
      const scopes = lacking.find((feature) => feature.name === name)?.scopes.join(', ')
      if (scopes !== undefined) return open({ scopes })
      return acceptedSince(existing, [lastTest?.at, lastSentAt])
    },
  })

/** What may be wrong between the shop and Klaviyo, or wait. */
export const deliveryMatters = {
  keyMissing: row({
    of,
    ...settingsPage,
    step: 'stepKey',
    stage: 'not-set-up',
    read: ({ facts: { keyProblem } }) =>
      keyProblem === 'missing' ? open({ text: 'apiKeyMissing' }) : gone,
  }),
  keyUntried: row({
    of,
    step: 'stepEvent',
    stage: 'not-used-yet',
    read(round) {
      const { keyProblem, lastSentAt, lastTest } = round.facts
      if (keyProblem !== undefined || readRefusal(round.facts)) return 'off'
      return (lastSentAt ?? lastTest) ? gone : open({ text: 'problemUntried' })
    },
  }),
  sendsWaiting: row({
    of,
    adminPath: `${sends}=queued&where[or][1][and][0][state][equals]=sending`,
    show: 'overviewOpenWaiting',
    text: 'alertSendsWaiting',
    advice: 'alertSendsWaitingAdvice',
    over: 'alertSendsWaitingOver',
    settings: {
      sendsWaiting: watchedSetting(),
      /** How many minutes a send may wait. */
      sendsWaitingMinutes: countSetting(30, { section: watchedSection, isBeside: true, least: 1 }),
    },
    rule: ['sendsWaitingMinutes', 'keyRefused', 'revisionEnds'],
    async read({ facts, settings, now }) {
      // Another matter tells of sends that wait for a key. A store without Klaviyo has no key.
      if (facts.keyProblem === 'missing') return 'off'
      const waitsForKey = facts.keyProblem !== undefined || pauseOf(facts, 'misconfigured')
      if (settings.keyRefused && waitsForKey) return 'unknown'
      if (settings.revisionEnds && pauseOf(facts, 'retired')) return 'unknown'
      const since = await facts.oldestWaiting()
      const before = now.getTime() - settings.sendsWaitingMinutes * minuteMs
      return since !== undefined && since.getTime() < before ? open({ ...sinceOf(since) }) : gone
    },
  }),
  sendsFailed: row({
    of,
    adminPath: `${sends}=failed`,
    show: 'overviewOpenFailed',
    text: 'alertSendsFailed',
    advice: 'alertSendsFailedAdvice',
    over: 'alertSendsFailedOver',
    settings: { sendsFailed: watchedSetting() },
    async read({ facts }) {
      const { count, since } = await facts.failed()
      return count === 0 ? gone : open({ count, ...sinceOf(since) })
    },
  }),
  keyRefused: row({
    of,
    ...settingsPage,
    text: 'alertKeyRefused',
    advice: 'alertKeyRefusedAdvice',
    over: 'alertKeyRefusedOver',
    sayReason: klaviyoErrorText,
    settings: { keyRefused: shared.keyRefused },
    read({ facts, existing }) {
      const { keyProblem, lastSentAt, lastTest } = facts
      if (keyProblem === 'missing') return 'off'
      if (keyProblem !== undefined) {
        return open({
          text: keyProblem === 'unreadable' ? 'apiKeyUnreadable' : 'overviewKeyVariable',
        })
      }
      const refused = readRefusal(facts)
      if (refused !== undefined) return refused
      // An outage hides whether Klaviyo accepts the key, and a new key is not accepted before it is used.
      if (pauseOf(facts, 'outage')) return 'unknown'
      const accepted = lastTest?.refusal === undefined ? lastTest?.at : undefined
      return acceptedSince(existing, [accepted, lastSentAt])
    },
  }),
  eventsOff: lackingFor('events'),
  profilesOff: lackingFor('profiles'),
  listsOff: lackingFor('lists'),
  subscriptionsOff: lackingFor('subscriptions'),
  consentsOff: lackingFor('consents'),
  catalogOff: lackingFor('catalog'),
  backInStockOff: lackingFor('backInStock'),
  couponsOff: lackingFor('coupons'),
  erasuresOff: lackingFor('erasures'),
  accountOff: lackingFor('account'),
  revisionEnds: row({
    of,
    text: 'alertRevisionEnds',
    advice: 'alertRevisionEndsAdvice',
    over: 'alertRevisionEndsOver',
    settings: { revisionEnds: shared.revisionEnds },
    read({ facts, now, existing }) {
      if (facts.keyProblem === 'missing') return 'off'
      const refused = pauseOf(facts, 'retired')
      if (refused) return open({ text: 'alertRevisionRefused', ...sinceOf(refused.since) })
      if (facts.isRevisionRefused) {
        return open({ text: 'alertRevisionRefused', ...sinceOf(facts.lastTest?.at) })
      }
      const { from, at } = facts.revisionEnds
      if (now >= from) return open({ until: at.toISOString() })
      return acceptedSince(existing, [facts.lastSentAt])
    },
  }),
  deliveryOff: row({
    of,
    text: 'deliveryStopped',
    // It has no switch: a shop that does not deliver tells nobody either.
    read({ facts: { keyProblem, modeProblem } }) {
      if (keyProblem !== undefined) return 'off'
      if (modeProblem === undefined) return gone
      return open({ text: modeProblem === 'preview' ? 'deliveryPreview' : 'deliveryStopped' })
    },
  }),
} as const

import { Button, Link } from '@payloadcms/ui'
import type { Payload } from 'payload'
import { Fragment } from 'react'
import { alertSettingsPage } from '../../alerts/alert-settings.js'
import type { AlertState } from '../../alerts/alerts.js'
import { conditions, type Condition } from '../../alerts/conditions.js'
import { klaviyoErrorText } from '../../../marketing/klaviyo/klaviyo-error-text.js'
import type { TranslationKey } from '../../../core/payload/label.js'
import { adminUrl } from '../admin-urls.js'
import { SnoozeButton } from '../alert-snooze.js'
import { Notice } from '../notice.js'
import type { Words } from '../words.js'
import type {
  IntegrationProblem,
  IntegrationState,
  PlaceUrls,
  ProblemPlace,
} from './integration-state.js'
import { Moment, Section } from './section.js'

interface OpenMattersProps {
  alerts: AlertState
  states: readonly IntegrationState[]
  config: Payload['config']
  urls: PlaceUrls
  /** The list of orders in the admin. */
  ordersUrl: string
  words: Words
}

/** Everything that needs the merchant: what it is, since when, and the button that mends or shows it. */
export function OpenMatters({ alerts, states, config, urls, ordersUrl, words }: OpenMattersProps) {
  const { translate } = words
  const problems = states.flatMap((state) =>
    state.problems.map((problem) => ({
      problem,
      isHint: state.is.startsWith('not-'),
      alert: alerts.open.find(({ condition }) => sameMatters[condition]?.includes(problem.text)),
    })),
  )
  const others = alerts.open.filter((one) => problems.every(({ alert }) => alert !== one))
  const settingsUrl = adminUrl(config, `/globals/${alertSettingsPage.slug}`)
  const count = problems.length + others.length + alerts.failures.length

  return (
    <Section heading={translate('matters')}>
      {count === 0 && <Notice type="success">{translate('mattersNone')}</Notice>}
      <ul className="storeconnect-overview__matters">
        {problems.map(({ problem, isHint, alert }) => (
          <li key={problem.text}>
            <Notice type={isHint || alert?.snoozedUntil ? 'info' : 'error'}>
              {sentenceOf(problem, words)}
              <Since at={problem.at} words={words} />
              <PlaceButton place={problem.place ?? places[problem.text]} {...{ urls, words }} />
              {alert && <Snooze alert={alert} words={words} />}
            </Notice>
          </li>
        ))}
        {others.map((alert) => (
          <li key={alert.id}>
            <Notice type={alert.snoozedUntil ? 'info' : 'error'}>
              {translate(alert.condition)}.{' '}
              {alert.facts.orders?.map((order) => (
                <Fragment key={order.id}>
                  <Link href={`${ordersUrl}/${order.id}`}>{order.number}</Link>{' '}
                </Fragment>
              ))}
              {alert.facts.asked && `${translate('pullAsked')}: ${alert.facts.asked} `}
              {translate(conditions[alert.condition].advice)}
              <Since at={alert.begunAt} words={words} />
              <MatterButton
                text={translate('overviewShow')}
                url={
                  alert.condition === 'unshipped'
                    ? ordersUrl
                    : adminUrl(config, pages[alert.condition] ?? conditions[alert.condition].page)
                }
              />
              <Snooze alert={alert} words={words} />
            </Notice>
          </li>
        ))}
        {alerts.failures.map(({ channel, error, at }) => (
          <li key={channel}>
            <Notice type="error">
              {translate('alertGivenUp', {
                channel: translate(channel === 'email' ? 'alertByEmail' : 'alertByWebhook'),
                error,
              })}
              <Since at={at} words={words} />
              <MatterButton text={translate('alertSettings')} url={settingsUrl} />
            </Notice>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The problems that say more of the same matter than an alert does, as they are of this moment. */
const sameMatters: Readonly<Partial<Record<Condition, readonly TranslationKey[]>>> = {
  noPull: ['problemQuiet', 'problemNeverPulled'],
  ordersSkipped: ['problemSkipped'],
  keyRefused: ['deliveryPaused', 'problemScopes', 'connectionFailed', 'apiKeyUnreadable'],
  revisionEnds: ['alertRevisionRefused', 'alertRevisionEnds'],
  sendsFailed: ['problemFailed'],
  sendsWaiting: ['problemStuck', 'overviewOutage'],
}

/** The pages of alerts whose message leads to the overview. */
const pages: Readonly<Partial<Record<Condition, `/${string}`>>> = {
  noPull: '/collections/shipping-pulls',
  sendsWaiting: '/collections/marketing-sends?where[or][0][and][0][state][equals]=queued',
}

/** What shows a problem that is not solved in the admin. */
const places: Readonly<Partial<Record<TranslationKey, ProblemPlace | 'pulls'>>> = {
  problemQuiet: 'pulls',
  problemExport: 'pulls',
  problemUntried: 'marketing-settings',
  overviewOutage: 'waiting-sends',
}

const placeNames: Readonly<Record<ProblemPlace | 'pulls', TranslationKey>> = {
  'shipping-settings': 'overviewShippingSettings',
  'marketing-settings': 'overviewMarketingSettings',
  'skipped-orders': 'overviewOpenSkipped',
  'failed-sends': 'overviewOpenFailed',
  'waiting-sends': 'overviewOpenWaiting',
  pulls: 'pulls',
}

const Since = ({ at, words }: { at: Date | undefined; words: Words }) =>
  at && (
    <div>
      {words.translate('since')}: <Moment at={at} words={words} />
    </div>
  )

interface PlaceButtonProps {
  place: ProblemPlace | 'pulls' | undefined
  urls: PlaceUrls
  words: Words
}

const PlaceButton = ({ place, urls, words }: PlaceButtonProps) =>
  place && <MatterButton text={words.translate(placeNames[place])} url={urls[place]} />

interface SnoozeProps {
  alert: AlertState['open'][number]
  words: Words
}

/** Until when an alert is put off, or the button for it. */
const Snooze = ({ alert: { id, snoozedUntil }, words }: SnoozeProps) =>
  snoozedUntil ? (
    <p>
      {words.translate('alertSnoozedUntil')}: <Moment at={snoozedUntil} words={words} />
    </p>
  ) : (
    <SnoozeButton id={id} />
  )

const MatterButton = ({ text, url }: { text: string; url: string }) => (
  <div className="storeconnect-overview__act">
    <Button buttonStyle="secondary" el="link" to={url}>
      {text}
    </Button>
  </div>
)

function sentenceOf(
  { text, variables, advice, reason, count, until }: IntegrationProblem,
  { translate, counted, moment }: Words,
): string {
  if (count !== undefined) return counted(text, count)
  const sentence = translate(text, {
    ...variables,
    ...(reason && { reason: klaviyoErrorText(reason, translate) }),
    ...(until && { until: moment(until) }),
  })
  return advice === undefined ? sentence : `${sentence} ${translate(advice)}`
}

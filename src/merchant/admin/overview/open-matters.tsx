import { Button, Link } from '@payloadcms/ui'
import type { Payload } from 'payload'
import { Fragment, type ReactNode } from 'react'
import { alertSettingsTab } from '../../alerts/alert-settings.js'
import type { AlertState } from '../../alerts/alerts.js'
import { matterText } from '../../alerts/matter-text.js'
import type { OpenMatter, FirstStep } from '../../alerts/open-matters.js'
import type { NamedOrder } from '../../../core/matter.js'
import { adminUrl } from '../admin-urls.js'
import { SnoozeButton } from '../alert-buttons.js'
import { Notice } from '../notice.js'
import type { Words } from '../words.js'
import { Moment, Section } from './section.js'

interface OpenMattersProps {
  open: readonly OpenMatter[]
  failures: AlertState['failures']
  config: Payload['config']
  /** The lists of orders and of payments in the admin. */
  ordersUrl: string
  paymentsUrl: string
  words: Words
  isCard?: boolean
  /** Stands below the matters. */
  children?: ReactNode
}

/** Everything that needs the merchant: what it is, since when, and the button that mends or shows it. */
export function OpenMatters(props: OpenMattersProps) {
  const { open, failures, config, ordersUrl, paymentsUrl, words, isCard, children } = props
  const { translate } = words
  // A first step without a sentence is only among the first steps.
  const said = open.flatMap((matter) => {
    const text = matterText(matter.row, matter.facts, words)
    return text === undefined ? [] : [{ ...matter, text }]
  })
  const settingsUrl = adminUrl(config, `/globals/${alertSettingsTab.slug}`)

  return (
    <Section heading={translate('matters')} isCard={isCard}>
      {said.length + failures.length === 0 && (
        <Notice type="success">{translate('mattersNone')}</Notice>
      )}
      <ul className="storeconnect-overview__matters">
        {said.map(({ name, row, text, facts, since, alert }) => (
          <li key={name}>
            <Notice type={'step' in row || alert?.snoozedUntil ? 'info' : 'error'}>
              {text} <NamedLinks listUrl={ordersUrl} named={facts.orders} />
              <NamedLinks listUrl={paymentsUrl} named={facts.payments} />
              {facts.asked && `${translate('pullAsked')}: ${facts.asked} `}
              {'advice' in row && row.advice && translate(row.advice)}
              <Since at={since} words={words} />
              {row.adminPath && (
                <MatterButton
                  text={translate(row.show ?? 'overviewShow')}
                  url={adminUrl(config, row.adminPath)}
                />
              )}
              {alert && <Snooze alert={alert} words={words} />}
            </Notice>
          </li>
        ))}
        {failures.map(({ channel, error, at }) => (
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
      {children}
    </Section>
  )
}

const NamedLinks = ({
  listUrl,
  named = [],
}: {
  listUrl: string
  named?: NamedOrder[] | undefined
}) =>
  named.map(({ id, number }) => (
    <Fragment key={`${id} ${number}`}>
      <Link href={`${listUrl}/${id}`}>{number}</Link>{' '}
    </Fragment>
  ))

const Since = ({ at, words }: { at: Date | undefined; words: Words }) =>
  at && (
    <div>
      {words.translate('since')}: <Moment at={at} words={words} />
    </div>
  )

type Snoozable = NonNullable<OpenMatter['alert']>

const Snooze = ({ alert: { id, snoozedUntil }, words }: { alert: Snoozable; words: Words }) =>
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

interface FirstStepsProps {
  steps: readonly FirstStep[]
  config: Payload['config']
  words: Words
}

/** What a new store does once, and what of it is done. It is folded away once its platforms were reached. */
export function FirstSteps({ steps, config, words: { translate } }: FirstStepsProps) {
  const checked = steps.filter(({ isDone }) => isDone !== undefined)
  const done = checked.filter(({ isDone }) => isDone)
  if (done.length === checked.length) return null
  const hasBegun = checked.every(({ row, isDone }) => row.stage === undefined || isDone)
  return (
    <Section heading={translate('steps')}>
      <details open={!hasBegun}>
        <summary>{`${done.length} / ${checked.length} ${translate('stepDone')}`}</summary>
        <ol className="storeconnect-overview__steps">
          {steps.map(({ name, row, isDone }) => (
            <li key={name}>
              <span aria-hidden="true">{isDone ? '✓' : '○'}</span>{' '}
              {row.adminPath === undefined ? (
                translate(row.step)
              ) : (
                <Link href={adminUrl(config, row.adminPath)}>{translate(row.step)}</Link>
              )}
              {isDone !== undefined && (
                <span className="storeconnect-overview__quiet">
                  {' '}
                  ({translate(isDone ? 'stepDone' : 'stepOpen')})
                </span>
              )}
            </li>
          ))}
        </ol>
      </details>
    </Section>
  )
}

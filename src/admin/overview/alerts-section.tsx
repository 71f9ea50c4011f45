import { Link } from '@payloadcms/ui'
import { Fragment } from 'react'
import { Notice } from '../notice.js'
import type { AlertState } from '../../alerts/alerts.js'
import { conditions } from '../../alerts/conditions.js'
import { Moment, Section } from './section.js'
import type { Words } from '../words.js'

interface AlertsSectionProps {
  state: AlertState
  /** The page of the alert settings. */
  settingsUrl: string
  /** The URL of the list of orders in the admin. */
  ordersUrl: string
  words: Words
}

/** The alerts that are open, and those that could not be sent. Nothing while there are none. */
export function AlertsSection({ state, settingsUrl, ordersUrl, words }: AlertsSectionProps) {
  const { translate } = words
  const { open, failures } = state
  if (open.length === 0 && failures.length === 0) return null
  return (
    <Section heading={translate('alerts')}>
      {failures.map(({ channel, error, at }) => (
        <Notice key={channel} className="storeconnect-overview__problem" type="error">
          {translate('alertGivenUp', {
            channel: translate(channel === 'email' ? 'alertByEmail' : 'alertByWebhook'),
            error,
          })}{' '}
          <Moment at={at} words={words} />{' '}
          <Link href={settingsUrl}>{translate('alertSettings')}</Link>
        </Notice>
      ))}
      <ul>
        {open.map(({ id, condition, begunAt, facts: { orders = [], asked } }) => (
          <li key={id}>
            {translate(condition)}: <Moment at={begunAt} words={words} />
            <br />
            {orders.map((order) => (
              <Fragment key={order.id}>
                <Link href={`${ordersUrl}/${order.id}`}>{order.number}</Link>{' '}
              </Fragment>
            ))}
            {asked && `${translate('pullAsked')}: ${asked} `}
            {translate(conditions[condition].advice)}
          </li>
        ))}
      </ul>
    </Section>
  )
}

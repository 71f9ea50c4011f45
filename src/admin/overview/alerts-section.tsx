import { Banner, Link } from '@payloadcms/ui'
import type { AlertState } from '../../alerts/alerts.js'
import { conditions } from '../../alerts/conditions.js'
import { Moment, Section } from './section.js'
import type { Words } from '../words.js'

interface AlertsSectionProps {
  state: AlertState
  /** The page of the alert settings. */
  settingsUrl: string
  words: Words
}

/** The alerts that are open, and those that could not be sent. Nothing while there are none. */
export function AlertsSection({ state, settingsUrl, words }: AlertsSectionProps) {
  const { translate } = words
  const { open, failures } = state
  if (open.length === 0 && failures.length === 0) return null
  return (
    <Section heading={translate('alerts')}>
      {failures.map(({ channel, error, at }) => (
        <Banner key={channel} className="storeconnect-overview__problem" type="error">
          {translate('alertGivenUp', {
            channel: translate(channel === 'email' ? 'alertByEmail' : 'alertByWebhook'),
            error,
          })}{' '}
          <Moment at={at} words={words} />{' '}
          <Link href={settingsUrl}>{translate('alertSettings')}</Link>
        </Banner>
      ))}
      <ul>
        {open.map(({ id, condition, begunAt }) => (
          <li key={id}>
            {translate(condition)}: <Moment at={begunAt} words={words} />
            <br />
            {translate(conditions[condition].advice)}
          </li>
        ))}
      </ul>
    </Section>
  )
}

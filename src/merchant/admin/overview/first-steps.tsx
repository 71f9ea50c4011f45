import { Link } from '@payloadcms/ui'
import type { OverviewFacts } from '../../overview/overview.js'
import type { TranslationKey } from '../../../core/payload/label.js'
import type { Words } from '../words.js'
import type { PlaceUrls } from './integration-state.js'
import { Section } from './section.js'

interface FirstStepsProps {
  facts: OverviewFacts
  hasSites: boolean
  sitesUrl: string
  hasAlerts: boolean
  urls: PlaceUrls
  words: Words
}

/** What a new store does once, and what of it is done. It is folded away once both platforms were reached. */
export function FirstSteps({ facts, hasSites, sitesUrl, hasAlerts, urls, words }: FirstStepsProps) {
  const { translate } = words
  const { shipping, marketing } = facts
  const { username, password } = shipping.settings.credentials
  const steps: { text: TranslationKey; isDone?: boolean; url?: string }[] = [
    {
      text: 'stepCredentials',
      isDone: username !== '' && password !== '',
      url: urls['shipping-settings'],
    },
    { text: 'stepPull', isDone: shipping.lastPull !== undefined },
    {
      text: 'stepKey',
      isDone: marketing.keyProblem === undefined,
      url: urls['marketing-settings'],
    },
    { text: 'stepEvent', isDone: marketing.lastSentAt !== undefined },
    {
      text: 'stepMetrics',
      isDone: marketing.lastMapping?.openCount === 0,
      url: urls['marketing-settings'],
    },
    { text: 'stepSites', isDone: hasSites, url: sitesUrl },
    // Only pages of the shop run through the proxy, so nothing here can tell.
    { text: 'stepProxy' },
    { text: 'stepAlerts', isDone: hasAlerts, url: urls['alert-settings'] },
  ]
  const seen = steps.filter(({ isDone }) => isDone !== undefined)
  const done = seen.filter(({ isDone }) => isDone)
  if (done.length === seen.length) return null
  const hasBegun = steps.slice(0, stepsOfStart).every(({ isDone }) => isDone)
  return (
    <Section heading={translate('steps')}>
      <details open={!hasBegun}>
        <summary>{`${done.length} / ${seen.length} ${translate('stepDone')}`}</summary>
        <ol className="storeconnect-overview__steps">
          {steps.map(({ text, isDone, url }) => (
            <li key={text}>
              <span aria-hidden="true">{isDone ? '✓' : '○'}</span>{' '}
              {url === undefined ? translate(text) : <Link href={url}>{translate(text)}</Link>}
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

/** Credentials, first pull, key and test event. */
const stepsOfStart = 4

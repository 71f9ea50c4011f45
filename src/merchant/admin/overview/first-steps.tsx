import { Link } from '@payloadcms/ui'
import type { Payload } from 'payload'
import type { FirstStep } from '../../alerts/open-matters.js'
import { adminUrl } from '../admin-urls.js'
import type { Words } from '../words.js'
import { Section } from './section.js'

interface FirstStepsProps {
  steps: readonly FirstStep[]
  config: Payload['config']
  words: Words
}

/** What a new store does once, and what of it is done. It is folded away once its platforms were reached. */
export function FirstSteps({ steps, config, words: { translate } }: FirstStepsProps) {
  const seen = steps.filter(({ isDone }) => isDone !== undefined)
  const done = seen.filter(({ isDone }) => isDone)
  if (done.length === seen.length) return null
  const hasBegun = seen.every(({ row, isDone }) => row.stage === undefined || isDone)
  return (
    <Section heading={translate('steps')}>
      <details open={!hasBegun}>
        <summary>{`${done.length} / ${seen.length} ${translate('stepDone')}`}</summary>
        <ol className="storeconnect-overview__steps">
          {steps.map(({ name, row, isDone }) => (
            <li key={name}>
              <span aria-hidden="true">{isDone ? '✓' : '○'}</span>{' '}
              {row.page === undefined ? (
                translate(row.step)
              ) : (
                <Link href={adminUrl(config, row.page)}>{translate(row.step)}</Link>
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

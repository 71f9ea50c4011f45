import { Link } from '@payloadcms/ui'
import type { ReactNode } from 'react'
import { Notice } from '../notice.js'
import { platformErrorText } from '../../klaviyo/platform-error-text.js'
import type { TranslationKey } from '../../payload/label.js'
import { Moment, Section } from './section.js'
import type {
  PlaceUrls,
  IntegrationProblem,
  IntegrationState,
  ProblemPlace,
} from './integration-state.js'
import { StatePill } from './state-summary.js'
import type { Words } from '../words.js'

interface IntegrationCardProps {
  name: string
  state: IntegrationState
  urls: PlaceUrls
  words: Words
  children: ReactNode
}

/** The state of an integration, its problems with links to where they are solved, and more content. */
export function IntegrationCard({ name, state, urls, words, children }: IntegrationCardProps) {
  return (
    <Section aside={<StatePill is={state.is} words={words} />} heading={name} isCard>
      {state.problems.map((problem) => (
        <Problem
          key={problem.text}
          type={state.is.startsWith('not-') ? 'info' : 'error'}
          {...{ problem, urls, words }}
        />
      ))}
      {children}
    </Section>
  )
}

const placeNames: Readonly<Record<ProblemPlace, TranslationKey>> = {
  'shipping-settings': 'overviewShippingSettings',
  'marketing-settings': 'overviewMarketingSettings',
  'skipped-orders': 'overviewOpenSkipped',
  'failed-sends': 'overviewOpenFailed',
  'waiting-sends': 'overviewOpenWaiting',
}

interface ProblemProps {
  problem: IntegrationProblem
  type: 'info' | 'error'
  urls: PlaceUrls
  words: Words
}

function sentenceOf(
  { text, variables, reason, count }: IntegrationProblem,
  { translate, counted }: Words,
): string {
  if (count !== undefined) return counted(text, count)
  return translate(text, {
    ...variables,
    ...(reason && { reason: platformErrorText(reason, translate) }),
  })
}

function Problem({ problem, type, urls, words }: ProblemProps) {
  const { at, place } = problem
  const said = sentenceOf(problem, words)
  return (
    <Notice className="storeconnect-overview__problem" type={type}>
      {said}
      {at && (
        <>
          {' '}
          <Moment at={at} words={words} />
        </>
      )}
      {place && (
        <>
          {' '}
          <Link href={urls[place]}>{words.translate(placeNames[place])}</Link>
        </>
      )}
    </Notice>
  )
}

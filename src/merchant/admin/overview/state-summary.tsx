import { Link, Pill } from '@payloadcms/ui'
import type { OverviewFacts, OverviewDetails } from '../../overview/overview.js'
import type { PlatformState } from '../../alerts/open-matters.js'
import type { PlaceUrls } from './place-urls.js'
import type { Words } from '../words.js'

const looks = {
  works: { word: 'overviewWorks', style: 'success' },
  'needs-you': { word: 'overviewNeedsYou', style: 'error' },
  'not-used-yet': { word: 'overviewNotUsedYet', style: 'warning' },
  'not-set-up': { word: 'overviewNotSetUp', style: 'warning' },
} as const

export const StatePill = ({ is, words }: { is: PlatformState; words: Words }) => (
  <Pill pillStyle={looks[is].style} size="small">
    {words.translate(looks[is].word)}
  </Pill>
)

interface StateSummaryProps {
  states: Readonly<Record<string, PlatformState>>
  facts: OverviewFacts
  urls: PlaceUrls
  words: Words
}

/** The states of the integrations and the counts. Screen readers announce changes. */
export function StateSummary({ states, facts, urls, words }: StateSummaryProps) {
  const { shipping, marketing } = facts
  return (
    <div role="status">
      <ul className="storeconnect-overview__summary">
        {Object.entries(states).map(([name, is]) => (
          <li key={name}>
            {name} <StatePill is={is} words={words} />
          </li>
        ))}
        {shipping && (
          <li>
            <Link href={urls['skipped-orders']}>
              {words.counted('overviewSkipped', shipping.skipped.count)}
            </Link>
          </li>
        )}
        {marketing && (
          <li>
            <Link href={urls['failed-sends']}>
              {words.counted('overviewFailedSends', sumOf(marketing.failed))}
            </Link>
          </li>
        )}
      </ul>
    </div>
  )
}

interface FiguresProps {
  facts: OverviewFacts
  today: OverviewDetails['today']
  words: Words
}

export function Figures({ facts: { marketing }, today, words }: FiguresProps) {
  const { translate, number, duration } = words
  const { shipped, delivered } = today
  const latencies = delivered?.latencies
  return (
    <div>
      {shipped && (
        <p>
          {translate('figuresOrders', {
            pulled: number(shipped.pulled),
            shipped: number(shipped.shipped),
          })}
        </p>
      )}
      {marketing && delivered && (
        <p>
          {translate('figuresEvents', {
            delivered: number(delivered.delivered),
            waiting: number(sumOf(marketing.waiting)),
            failed: number(sumOf(marketing.failed)),
          })}{' '}
          {latencies &&
            translate('figuresLatency', {
              p50: duration(latencies.p50),
              p95: duration(latencies.p95),
            })}
        </p>
      )}
    </div>
  )
}

const sumOf = (counts: readonly { count: number }[]) =>
  counts.reduce((sum, { count }) => sum + count, 0)

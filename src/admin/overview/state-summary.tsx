import { Link } from '@payloadcms/ui'
import type { PlatformFacts } from '../../store/overview.js'
import type { PlaceUrls } from './place-urls.js'
import type { PlatformState } from './platform-state.js'
import { StatePill } from './state-pill.js'
import type { Words } from './words.js'

interface StateSummaryProps {
  states: { name: string; state: PlatformState }[]
  facts: PlatformFacts
  urls: PlaceUrls
  words: Words
}

/** The states and the counts at a glance, read aloud when they change. */
export function StateSummary({ states, facts, urls, words }: StateSummaryProps) {
  const failed = facts.marketing.failed.reduce((sum, { count }) => sum + count, 0)
  return (
    <div role="status">
      <ul className="storeconnect-overview__summary">
        {states.map(({ name, state }) => (
          <li key={name}>
            {name} <StatePill is={state.is} words={words} />
          </li>
        ))}
        <li>
          <Link href={urls['skipped-orders']}>
            {words.counted('overviewSkipped', facts.shipping.skipped.count)}
          </Link>
        </li>
        <li>
          <Link href={urls['failed-sends']}>{words.counted('overviewFailedSends', failed)}</Link>
        </li>
      </ul>
    </div>
  )
}

import { Link } from '@payloadcms/ui'
import type { MarketingFacts } from '../../store/overview.js'
import { ConnectionTest } from '../connection-test.js'
import { FactList } from './fact-list.js'
import { Moment } from './moment.js'
import type { PlaceUrls } from './place-urls.js'
import { PlatformCard } from './platform-card.js'
import type { PlatformState } from './platform-state.js'
import type { Words } from './words.js'

interface MarketingCardProps {
  facts: MarketingFacts
  state: PlatformState
  urls: PlaceUrls
  words: Words
}

/** How Klaviyo is. */
export function MarketingCard({ facts, state, urls, words }: MarketingCardProps) {
  const { translate } = words
  return (
    <PlatformCard name="Klaviyo" {...{ state, urls, words }}>
      <FactList
        facts={[
          {
            name: translate('overviewLastSent'),
            value: <Moment at={facts.lastSentAt} words={words} />,
          },
        ]}
      />
      <ConnectionTest />
      <p>
        <Link href={urls['marketing-settings']}>{translate('overviewMarketingSettings')}</Link>
      </p>
    </PlatformCard>
  )
}

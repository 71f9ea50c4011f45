import { Banner, Button } from '@payloadcms/ui'
import type { DeliveryStatus } from '../../delivery/drain.js'
import type { OverviewReading } from '../../store/overview.js'
import { ConnectionTest } from '../connection-test.js'
import { ConnectionPill } from './connection-pill.js'
import { marketingState } from './connection-state.js'
import { FactList } from './fact-list.js'
import { Moment } from './moment.js'
import { Section } from './section.js'
import type { Words } from './words.js'

interface MarketingCardProps {
  reading: Pick<OverviewReading, 'lastSentAt'>
  status: DeliveryStatus
  settingsUrl: string
  words: Words
}

/** How Klaviyo is connected. */
export function MarketingCard({ reading, status, settingsUrl, words }: MarketingCardProps) {
  const { translate } = words
  const state = marketingState(status, reading.lastSentAt)
  return (
    <Section aside={<ConnectionPill state={state} words={words} />} heading="Klaviyo" isCard>
      {state.advice && (
        <Banner type={state.is === 'error' ? 'error' : 'info'}>{translate(state.advice)}</Banner>
      )}
      <FactList
        facts={[
          {
            name: translate('overviewLastSent'),
            value: <Moment at={reading.lastSentAt} words={words} />,
          },
        ]}
      />
      <ConnectionTest />
      <div>
        <Button buttonStyle="secondary" el="link" size="small" to={settingsUrl}>
          {translate('overviewMarketingSettings')}
        </Button>
      </div>
    </Section>
  )
}

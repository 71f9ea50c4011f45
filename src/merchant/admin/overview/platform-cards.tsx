import { Button, Link } from '@payloadcms/ui'
import type { ReactNode } from 'react'
import { ConnectionTest, TestEvent } from '../klaviyo-tests.js'
import type { OverviewDetails, OverviewFacts } from '../../overview/overview.js'
import type { MarketingFacts } from '../../overview/read-marketing.js'
import type { MissingProductField } from '../../../shop/orders/missing-product-fields.js'
import { pullState, pullStateTexts } from '../../../shipping/pull-collection.js'
import type { Pull } from '../../../shipping/pulls.js'
import { CopyButton } from '../buttons.js'
import { ExportTest } from '../export-test.js'
import { Fact, FactList, Moment, Section } from './section.js'
import type { PlatformState } from '../../alerts/open-matters.js'
import type { PlaceUrls } from './place-urls.js'
import type { Words } from '../words.js'
import { StatePill } from './state-pill.js'

interface CardProps {
  state: PlatformState
  today: OverviewDetails['today']
  urls: PlaceUrls
  words: Words
}

interface ShippingCardProps extends CardProps {
  facts: NonNullable<OverviewFacts['shipping']>
  missingFields: readonly MissingProductField[]
  exportUrl: string
}

/** The state of ShipStation, and what a merchant enters there. */
export function ShippingCard(props: ShippingCardProps) {
  const { facts, missingFields, state, today, urls, exportUrl, words } = props
  const { translate, number } = words
  const { lastPull, lastShipment } = facts
  return (
    <IntegrationCard
      name="ShipStation"
      settings={{ text: translate('overviewShippingSettings'), url: urls['shipping-settings'] }}
      {...{ state, words }}
    >
      {today.shipped && (
        <p>
          {translate('figuresOrders', {
            pulled: number(today.shipped.pulled),
            shipped: number(today.shipped.shipped),
          })}
        </p>
      )}
      <FactList>
        <Fact name={translate('overviewLastPull')}>
          <Moment at={lastPull?.at} words={words} />
        </Fact>
        {lastPull && <Fact name={translate('overviewPulled')}>{pulled(lastPull, words)}</Fact>}
        {lastPull?.asked && <Fact name={translate('pullAsked')}>{lastPull.asked}</Fact>}
        <Fact name={translate('overviewLastShipment')}>
          <Moment at={lastShipment?.at} words={words} />{' '}
          {lastShipment &&
            [lastShipment.reference, lastShipment.carrier].filter(Boolean).join(' · ')}
        </Fact>
      </FactList>
      {missingFields.length > 0 && (
        <p>
          {translate('overviewMissingFields', {
            fields: missingFields
              .map(({ part, path }) => `${translate(part)} (${path})`)
              .join(', '),
          })}
        </p>
      )}
      <ExportTest url={exportUrl} />
      <details open={state === 'not-set-up' || state === 'not-used-yet'}>
        <summary>
          <h3>{translate('overviewWhatToType')}</h3>
        </summary>
        <SetUpHelp {...{ facts, exportUrl, words }} />
      </details>
      <p>
        <Link href={urls.pulls}>{translate('pulls')}</Link>
      </p>
    </IntegrationCard>
  )
}

function pulled(pull: Pull, { translate, counted }: Words): string {
  const orders = counted('overviewOrders', pull.orders)
  if (pull.pages <= 1) return orders
  const [page, pages] = [String(pull.pagesAnswered), String(pull.pages)]
  const state = pullStateTexts[pullState(pull, new Date())]
  return `${translate('pullProgress', { orders, page, pages })} · ${translate(state)}`
}

function SetUpHelp({
  facts: { settings },
  exportUrl,
  words: { translate },
}: Pick<ShippingCardProps, 'facts' | 'exportUrl' | 'words'>) {
  return (
    <>
      <p>{translate('overviewWhereToType')}</p>
      <FactList>
        <Fact name={translate('overviewUrl')}>
          <span className="storeconnect-overview__row">
            <code>{exportUrl}</code>
            <CopyButton name={translate('overviewUrl')} text={exportUrl} />
          </span>
        </Fact>
        {/* This shows `$NAME` itself: the value of the variable may be somebody else's secret. */}
        <Fact name={translate('username')}>{settings.username || '–'}</Fact>
        <Fact name={translate('password')}>{translate('overviewPasswordOfSettings')}</Fact>
        <Fact name={translate('overviewPaidStatus')}>
          <code>processing</code>
        </Fact>
        <Fact name={translate('overviewShippedStatus')}>
          <code>{settings.statusHandle}</code>
        </Fact>
        <Fact name={translate('overviewCancelledStatus')}>
          <code>cancelled,refunded</code>
        </Fact>
      </FactList>
    </>
  )
}

interface MarketingCardProps extends CardProps {
  facts: MarketingFacts
}

export const MarketingCard = ({ facts, state, today, urls, words }: MarketingCardProps) => (
  <IntegrationCard
    name="Klaviyo"
    settings={{
      text: words.translate('overviewMarketingSettings'),
      url: urls['marketing-settings'],
    }}
    {...{ state, words }}
  >
    {today.delivered && <EventsToday delivered={today.delivered} {...{ facts, words }} />}
    <FactList>
      <Fact name={words.translate('overviewLastSent')}>
        <Moment at={facts.lastSentAt} words={words} />
      </Fact>
      {facts.mode !== 'loop' && (
        <Fact name={words.translate('overviewLastRun')}>
          <Moment at={facts.lastRunAt} words={words} />
        </Fact>
      )}
    </FactList>
    {facts.pauses.some(({ reason }) => reason === 'outage') && (
      <p>{words.translate('overviewOutage')}</p>
    )}
    <ConnectionTest />
    <TestEvent />
  </IntegrationCard>
)

interface EventsTodayProps extends Pick<MarketingCardProps, 'facts' | 'words'> {
  delivered: NonNullable<OverviewDetails['today']['delivered']>
}

function EventsToday({ delivered: { delivered, latencies }, facts, words }: EventsTodayProps) {
  const { translate, number, duration } = words
  return (
    <p>
      {translate('figuresEvents', {
        delivered: number(delivered),
        waiting: number(sumOf(facts.waiting)),
        failed: number(sumOf(facts.failed)),
      })}{' '}
      {latencies &&
        translate('figuresLatency', {
          p50: duration(latencies.p50),
          p95: duration(latencies.p95),
        })}
    </p>
  )
}

const sumOf = (counts: readonly { count: number }[]) =>
  counts.reduce((sum, { count }) => sum + count, 0)

interface IntegrationCardProps extends Pick<CardProps, 'state' | 'words'> {
  name: string
  /** The page on which a merchant sets it up. */
  settings: { text: string; url: string }
  children: ReactNode
}

const IntegrationCard = ({ name, settings, state, words, children }: IntegrationCardProps) => (
  <Section aside={<StatePill is={state} platform={name} words={words} />} heading={name} isCard>
    {children}
    <div>
      <Button buttonStyle="secondary" el="link" to={settings.url}>
        {settings.text}
      </Button>
    </div>
  </Section>
)

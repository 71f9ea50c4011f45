import { Gutter, Link, SetStepNav } from '@payloadcms/ui'
import type { DocumentViewServerProps, PayloadRequest } from 'payload'
import { Notice } from '../notice.js'
import { partsOf, unsupportedAdapterOf } from '../../installation.js'
import type { OverviewFacts } from '../../overview/overview.js'
import type { IsAdmin } from '../../payload/admin-access.js'
import { alertSettingsPage } from '../../alerts/alert-settings.js'
import { adminUrl, exportUrl } from '../admin-urls.js'
import { ConnectionTest } from '../connection-test.js'
import { createWords, type Words } from '../words.js'
import { AlertsSection } from './alerts-section.js'
import { HistoryPanel } from './history-panel.js'
import { OrderPreview } from './order-preview.js'
import { overviewStyle } from './overview-style.js'
import { IntegrationCard } from './integration-card.js'
import {
  marketingState,
  placeUrls,
  shippingState,
  type PlaceUrls,
  type IntegrationState,
} from './integration-state.js'
import { Fact, FactList, Moment, Section } from './section.js'
import { SelfRefresh } from './self-refresh.js'
import { SendsChart } from './sends-chart.js'
import { FailedSection, WaitingSection } from './sends-section.js'
import { ShippingCard } from './shipping-card.js'
import { SkippedSection } from './skipped-section.js'
import { StateSummary } from './state-summary.js'
import { WindowPreview } from './window-preview.js'

interface OverviewViewProps extends DocumentViewServerProps {
  isAdmin: IsAdmin
  /** The time zone of the shop. */
  timezone: string
  ordersSlug: string
}

/** The overview page: whether both integrations work, and what a merchant has to do. For admins only. */
export async function OverviewView(props: OverviewViewProps) {
  const { initPageResult, isAdmin, ordersSlug, timezone } = props
  const { req } = initPageResult
  // The global's access has refused others already; this checks once more.
  if (!(await isAdmin({ req }))) return null
  const adapter = unsupportedAdapterOf(req.payload)
  const words = createWords(req.i18n, timezone)
  return (
    <>
      <SetStepNav nav={[{ label: words.translate('overview') }]} />
      <Gutter>
        {adapter === undefined ? (
          <OverviewPage {...{ ordersSlug, req, words }} />
        ) : (
          <Notice type="error">{words.translate('errorDatabase', { adapter })}</Notice>
        )}
      </Gutter>
    </>
  )
}

interface OverviewPageProps {
  req: PayloadRequest
  ordersSlug: string
  words: Words
}

/** The sections of the overview, the most urgent first. */
async function OverviewPage({ req, ordersSlug, words }: OverviewPageProps) {
  const { headers, payload } = req
  const { translate } = words
  const { alerts, overview, histories } = partsOf(payload)
  const facts = await overview.facts()
  const details = await overview.details()
  const { shipping, marketing } = facts
  const now = new Date()
  const states = {
    ShipStation: shippingState(shipping, now),
    Klaviyo: marketingState(marketing, now),
  }
  const urls = placeUrls(payload)
  const ordersUrl = adminUrl(payload.config, `/collections/${ordersSlug}`)

  return (
    <div className="storeconnect-overview">
      <style href="storeconnect-overview" precedence="medium">
        {overviewStyle}
      </style>
      <SelfRefresh />
      <header>
        <h1>{translate('overviewHeading')}</h1>
        <StateSummary {...{ facts, states, urls, words }} />
        <p>{translate('overviewTimes', { timezone: words.timezone })}</p>
      </header>
      <AlertsSection
        settingsUrl={adminUrl(payload.config, `/globals/${alertSettingsPage.slug}`)}
        state={await alerts.state()}
        ordersUrl={ordersUrl}
        words={words}
      />
      <div className="storeconnect-overview__columns">
        <ShippingCard
          exportUrl={exportUrl(payload, headers)}
          facts={shipping}
          missingFields={overview.missingProductFields}
          state={states.ShipStation}
          {...{ urls, words }}
        />
        <MarketingCard facts={marketing} state={states.Klaviyo} {...{ urls, words }} />
      </div>
      <FailedSection facts={marketing} {...{ urls, words }} />
      <WaitingSection facts={marketing} {...{ urls, words }} />
      <SendsChart hours={details.hours} words={words} />
      <SkippedSection
        hasPulled={shipping.lastPull !== undefined}
        newest={details.newestSkipped}
        {...{ ordersUrl, urls, words }}
      />
      <Section heading={translate('overviewHistory')}>
        <p>{translate('overviewHistoryIntro')}</p>
        <HistoryPanel initial={await histories.latest()} />
      </Section>
      <Section heading={translate('overviewOrderXml')}>
        <p>{translate('overviewOrderXmlIntro')}</p>
        <OrderPreview />
      </Section>
      <Section heading={translate('overviewWindow')}>
        <p>{translate('overviewWindowIntro')}</p>
        <WindowPreview hasStores={shipping.settings.storeField !== ''} ordersUrl={ordersUrl} />
      </Section>
    </div>
  )
}

interface MarketingCardProps {
  facts: OverviewFacts['marketing']
  state: IntegrationState
  urls: PlaceUrls
  words: Words
}

/** The state of Klaviyo. */
const MarketingCard = ({ facts, state, urls, words }: MarketingCardProps) => (
  <IntegrationCard name="Klaviyo" {...{ state, urls, words }}>
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
    <ConnectionTest />
    <p>
      <Link href={urls['marketing-settings']}>{words.translate('overviewMarketingSettings')}</Link>
    </p>
  </IntegrationCard>
)

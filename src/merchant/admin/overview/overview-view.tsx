import { Link } from '@payloadcms/ui'
import type { DocumentViewServerProps, PayloadRequest } from 'payload'
import { partsOf } from '../../../core/installation.js'
import type { PlatformState } from '../../alerts/open-matters.js'
import type { MarketingFacts } from '../../overview/read-marketing.js'
import { overviewSlug } from '../../overview/overview-global.js'
import type { IsAdmin } from '../../../core/payload/admin-access.js'
import { adminUrl, exportUrl } from '../admin-urls.js'
import { ConnectionTest } from '../connection-test.js'
import { PageTabs } from '../page-tabs.js'
import { createWords, type Words } from '../words.js'
import { Figures } from './figures.js'
import { FirstSteps } from './first-steps.js'
import { HistoryPanel } from './history-panel.js'
import { IntegrationCard } from './integration-card.js'
import { placeUrls, type PlaceUrls } from './place-urls.js'
import { OpenMatters } from './open-matters.js'
import { OrderPreview } from './order-preview.js'
import { PageFrame } from './page-frame.js'
import { Fact, FactList, Moment, Section } from './section.js'
import { SendsChart } from './sends-chart.js'
import { FailedSection, WaitingSection } from './sends-section.js'
import { ShippingCard } from './shipping-card.js'
import { SkippedSection } from './skipped-section.js'
import { StateSummary } from './state-summary.js'
import { TestEvent } from './test-event.js'
import { WindowPreview } from './window-preview.js'

interface OverviewViewProps extends DocumentViewServerProps {
  isAdmin: IsAdmin
  /** The time zone of the shop. */
  timezone: string
  ordersSlug: string
}

/** The name of the tools in the URL. */
const toolsName = 'tools'

/** The overview: whether the integrations work, and what a merchant has to do; and beside it the tools. */
export function OverviewView(props: OverviewViewProps) {
  const { initPageResult, isAdmin, ordersSlug, searchParams, timezone } = props
  const { req } = initPageResult
  const words = createWords(req.i18n, timezone)
  const { translate } = words
  const url = adminUrl(req.payload.config, `/globals/${overviewSlug}`)
  const isTools = searchParams?.show === toolsName
  const tabs = [
    { text: translate('overview'), url, isCurrent: !isTools },
    { text: translate('tools'), url: `${url}?show=${toolsName}`, isCurrent: isTools },
  ]
  const Page = isTools ? ToolsPage : OverviewPage
  return (
    <PageFrame
      heading={translate(isTools ? 'tools' : 'overviewHeading')}
      name={translate(isTools ? 'tools' : 'overview')}
      intro={<PageTabs label={translate('overviewHeading')} tabs={tabs} />}
      {...{ isAdmin, req, words }}
    >
      <Page
        ordersUrl={adminUrl(req.payload.config, `/collections/${ordersSlug}`)}
        {...{ req, words }}
      />
    </PageFrame>
  )
}

interface PageProps {
  req: PayloadRequest
  /** The list of orders in the admin. */
  ordersUrl: string
  words: Words
}

/** The sections of the overview, the most urgent first. */
async function OverviewPage({ req, ordersUrl, words }: PageProps) {
  const { headers, payload } = req
  const { alerts, overview } = await partsOf(payload)
  const facts = await overview.facts()
  const details = await overview.details()
  const { shipping, marketing } = facts
  const { open, steps, states } = await alerts.matters()
  const { failures } = await alerts.state()
  const urls = placeUrls(payload)

  return (
    <>
      <OpenMatters config={payload.config} {...{ open, failures, ordersUrl, words }} />
      <FirstSteps config={payload.config} {...{ steps, words }} />
      <div>
        <StateSummary {...{ facts, states, urls, words }} />
        <Figures today={details.today} {...{ facts, words }} />
      </div>
      {details.hours && <SendsChart hours={details.hours} words={words} />}
      <div className="storeconnect-overview__columns">
        {shipping && states.ShipStation && (
          <ShippingCard
            exportUrl={exportUrl(payload, headers)}
            facts={shipping}
            missingFields={overview.missingProductFields}
            state={states.ShipStation}
            {...{ urls, words }}
          />
        )}
        {marketing && states.Klaviyo && (
          <MarketingCard facts={marketing} state={states.Klaviyo} {...{ urls, words }} />
        )}
      </div>
      {marketing && (
        <>
          <FailedSection facts={marketing} {...{ urls, words }} />
          <WaitingSection facts={marketing} {...{ urls, words }} />
        </>
      )}
      {shipping && details.newestSkipped && (
        <SkippedSection
          hasPulled={shipping.lastPull !== undefined}
          newest={details.newestSkipped}
          {...{ ordersUrl, urls, words }}
        />
      )}
    </>
  )
}

/** What a merchant or ShipStation's support looks up now and then. */
async function ToolsPage({ req, ordersUrl, words }: PageProps) {
  const { translate } = words
  const { histories, shippingSettings } = await partsOf(req.payload)
  const shipping = await shippingSettings?.get()
  return (
    <>
      {histories && (
        <Section heading={translate('overviewHistory')}>
          <p>{translate('overviewHistoryIntro')}</p>
          <HistoryPanel initial={await histories.latest()} />
        </Section>
      )}
      {shipping && (
        <>
          <Section heading={translate('overviewOrderXml')}>
            <p>{translate('overviewOrderXmlIntro')}</p>
            <OrderPreview />
          </Section>
          <Section heading={translate('overviewWindow')}>
            <p>{translate('overviewWindowIntro')}</p>
            <WindowPreview hasStores={shipping.storeField !== ''} ordersUrl={ordersUrl} />
          </Section>
        </>
      )}
    </>
  )
}

interface MarketingCardProps {
  facts: MarketingFacts
  state: PlatformState
  urls: PlaceUrls
  words: Words
}

/** The state of Klaviyo. */
const MarketingCard = ({ facts, state, urls, words }: MarketingCardProps) => (
  <IntegrationCard name="Klaviyo" {...{ state, words }}>
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
    <p>
      <Link href={urls['marketing-settings']}>{words.translate('overviewMarketingSettings')}</Link>
    </p>
  </IntegrationCard>
)

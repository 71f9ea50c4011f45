import { Link } from '@payloadcms/ui'
import type { DocumentViewServerProps, PayloadRequest } from 'payload'
import { createOnce } from '../../../core/database/cached-value.js'
import { partsOf } from '../../../core/installation.js'
import { overviewSlug, type AdminPageProps } from '../../overview/overview-global.js'
import { adminUrl, exportUrl } from '../admin-urls.js'
import { PageTabs } from '../page-tabs.js'
import { createWords, type Words } from '../words.js'
import { Figures, StateSummary } from './state-summary.js'
import { FirstSteps, OpenMatters } from './open-matters.js'
import { HistoryPanel } from './history-panel.js'
import { MarketingCard, ShippingCard } from './platform-cards.js'
import { placeUrls, type PlaceUrls } from './place-urls.js'
import { OrderPreview, WindowPreview } from './previews.js'
import { PageFrame } from './page-frame.js'
import { ComparedSection, PaymentsSection } from './payments-section.js'
import { RowsTable, Section } from './section.js'
import { FailedSection, SendsChart, WaitingSection } from './sends-section.js'
import type { OverviewDetails } from '../../overview/overview.js'
import { reportStored } from '../../../shipping/export/skip-reason.js'

interface OverviewViewProps extends DocumentViewServerProps, AdminPageProps {
  ordersSlug: string
  paymentsSlug: string
}

const toolsName = 'tools'

/** The overview: whether the integrations work, and what a merchant has to do; and beside it the tools. */
export function OverviewView(props: OverviewViewProps) {
  const { initPageResult, isAdmin, ordersSlug, paymentsSlug, searchParams, timezone } = props
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
        paymentsUrl={adminUrl(req.payload.config, `/collections/${paymentsSlug}`)}
        {...{ req, words }}
      />
    </PageFrame>
  )
}

interface PageProps {
  req: PayloadRequest
  /** The lists of orders and of payments in the admin. */
  ordersUrl: string
  paymentsUrl: string
  words: Words
}

/** The sections of the overview, the most urgent first. */
async function OverviewPage({ req, ordersUrl, paymentsUrl, words }: PageProps) {
  const { headers, payload } = req
  const { alerts, overview, openPayments } = await partsOf(payload)
  const once = createOnce()
  const facts = await overview.facts(once)
  const details = await overview.details()
  const { shipping, marketing } = facts
  const { open, steps, states } = await alerts.matters(once)
  const { failures } = await alerts.state()
  const payments = await openPayments()
  const urls = placeUrls(payload)

  return (
    <>
      <OpenMatters config={payload.config} {...{ open, failures, ordersUrl, paymentsUrl, words }} />
      {payments.length > 0 && <PaymentsSection {...{ payments, paymentsUrl, words }} />}
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
  const { histories, overview, shippingSettings } = await partsOf(req.payload)
  const compared = await overview.compared()
  const shipping = await shippingSettings?.get()
  return (
    <>
      {compared.length > 0 && <ComparedSection {...{ compared, words }} />}
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

interface SkippedProps {
  newest: NonNullable<OverviewDetails['newestSkipped']>
  hasPulled: boolean
  ordersUrl: string
  urls: PlaceUrls
  words: Words
}

function SkippedSection({ newest, hasPulled, ordersUrl, urls, words }: SkippedProps) {
  const { translate } = words
  return (
    <Section heading={translate('overviewSkippedOrders')}>
      {newest.length === 0 ? (
        <p>{translate(hasPulled ? 'overviewNothingSkipped' : 'overviewSkippedUnknown')}</p>
      ) : (
        <>
          <RowsTable
            columns={{ reference: translate('reference'), reasons: translate('reasons') }}
            name="skipped"
            rows={newest.map(({ orderId, reference, reasons, isFailure }) => ({
              id: reference,
              cells: [
                orderId === undefined ? (
                  reference
                ) : (
                  <Link href={`${ordersUrl}/${orderId}`} key="order">
                    {reference}
                  </Link>
                ),
                [
                  ...reportStored(reasons, translate).map(({ message }) => message),
                  ...(isFailure ? [] : [translate('overviewNothingToComplete')]),
                ].join(' '),
              ],
            }))}
          />
          <p>
            <Link href={urls['all-skipped-orders']}>{translate('overviewShowSkipped')}</Link>
          </p>
        </>
      )}
    </Section>
  )
}

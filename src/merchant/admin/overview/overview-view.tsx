import { Link } from '@payloadcms/ui'
import type { DocumentViewServerProps, PayloadRequest } from 'payload'
import { createOnce } from '../../../core/database/cached-value.js'
import { partsOf } from '../../../core/installation.js'
import { namingDocuments, personTab } from '../../people/person.js'
import {
  overviewSlug,
  type OverviewProps,
  type OverviewSlugs,
} from '../../overview/overview-global.js'
import { adminUrl, exportUrl } from '../admin-urls.js'
import { PersonPage } from '../person/person-page.js'
import { PageTabs } from '../page-tabs.js'
import { createWords, type Words } from '../words.js'
import { CatalogSection } from './catalog-section.js'
import { FirstSteps, OpenMatters } from './open-matters.js'
import { HistoryPanel } from './history-panel.js'
import { MarketingCard, ShippingCard } from './platform-cards.js'
import { placeUrls, type PlaceUrls } from './place-urls.js'
import { OrderPreview, WindowPreview } from './previews.js'
import { PageFrame } from './page-frame.js'
import { ComparedSection, PaymentsSection } from './payments-section.js'
import { Fact, FactList, RowsTable, Section } from './section.js'
import { FailedSection, SendsChart, WaitingSection } from './sends-section.js'
import type { OverviewDetails } from '../../overview/overview.js'
import { labelText } from '../../../core/payload/label.js'
import { sendsSlug } from '../../../marketing/delivery/send-table.js'
import { historiesSlug } from '../../../marketing/history/history-table.js'
import { reportStored } from '../../../shipping/export/skip-reason.js'
import { skippedOrdersSlug } from '../../../shipping/export/skipped-orders.js'
import { noticesSlug } from '../../../shipping/notice/notice-collection.js'
import { pullsSlug } from '../../../shipping/pull-collection.js'
import { alertsSlug } from '../../alerts/alerts-slug.js'
import { erasuresSlug } from '../../erasure/erasure-table.js'

type OverviewViewProps = DocumentViewServerProps & OverviewProps

/** Our records, those that a merchant looks up most first. */
const recordSlugs = [
  noticesSlug,
  skippedOrdersSlug,
  pullsSlug,
  sendsSlug,
  historiesSlug,
  alertsSlug,
  erasuresSlug,
]

/** The tabs of the overview, by their name in the URL. */
const pages = [
  { text: 'overview', heading: 'overviewHeading', Page: OverviewPage },
  { name: 'tools', text: 'tools', heading: 'tools', Page: ToolsPage },
  { name: personTab, text: 'person', heading: 'person', Page: AboutPerson },
] as const

/** The overview: whether the integrations work, and what a merchant has to do; and beside it the tools, and people. */
export function OverviewView(props: OverviewViewProps) {
  const { initPageResult, isAdmin, searchParams = {}, timezone } = props
  const { ordersSlug, paymentsSlug, sitesSlug } = props
  const { req } = initPageResult
  const words = createWords(req.i18n, timezone)
  const { translate } = words
  const url = adminUrl(req.payload.config, `/globals/${overviewSlug}`)
  const shown = pages.find((page) => 'name' in page && page.name === searchParams.show) ?? pages[0]
  const tabs = pages.map((page) => ({
    text: translate(page.text),
    url: 'name' in page ? `${url}?show=${page.name}` : url,
    isCurrent: page === shown,
  }))
  return (
    <PageFrame
      heading={translate(shown.heading)}
      name={translate(shown.text)}
      intro={<PageTabs label={translate('overviewHeading')} tabs={tabs} />}
      {...{ isAdmin, req, words }}
    >
      <shown.Page {...{ ordersSlug, paymentsSlug, sitesSlug, req, searchParams, words }} />
    </PageFrame>
  )
}

type PageProps = OverviewSlugs & {
  req: PayloadRequest
  searchParams: Readonly<Record<string, unknown>>
  words: Words
}

/** Everything about the person whom the document in the URL names, or whom the reader types. */
function AboutPerson({ searchParams, words: { translate, timezone } }: PageProps) {
  const by = namingDocuments.find((name) => typeof searchParams[name] === 'string')
  return (
    <>
      <p>{translate('personIntro')}</p>
      <PersonPage query={by && { by, value: String(searchParams[by]) }} timezone={timezone} />
    </>
  )
}

/** The sections of the overview, the most urgent first. */
async function OverviewPage({ req, ordersSlug, paymentsSlug, sitesSlug, words }: PageProps) {
  const { headers, payload } = req
  const { config } = payload
  const { alerts, overview, openPayments } = await partsOf(payload)
  const once = createOnce()
  const { shipping, marketing } = await overview.facts(once)
  const { newestSkipped = [], hours, today } = await overview.details()
  const { open, steps, states } = await alerts.matters(once)
  const { failures } = await alerts.state()
  const payments = await openPayments()
  const urls = placeUrls(payload)
  const ordersUrl = adminUrl(config, `/collections/${ordersSlug}`)
  const paymentsUrl = adminUrl(config, `/collections/${paymentsSlug}`)

  return (
    <>
      <OpenMatters {...{ config, open, failures, ordersUrl, paymentsUrl, words }} />
      {payments.length > 0 && <PaymentsSection {...{ payments, paymentsUrl, words }} />}
      <FirstSteps {...{ config, steps, words }} />
      <div className="storeconnect-overview__columns">
        {shipping && states.ShipStation && (
          <ShippingCard
            exportUrl={exportUrl(payload, headers)}
            facts={shipping}
            missingFields={overview.missingProductFields}
            state={states.ShipStation}
            {...{ today, urls, words }}
          />
        )}
        {marketing && states.Klaviyo && (
          <MarketingCard facts={marketing} state={states.Klaviyo} {...{ today, urls, words }} />
        )}
      </div>
      {marketing && (
        <>
          <FailedSection facts={marketing} {...{ urls, words }} />
          <WaitingSection facts={marketing} {...{ urls, words }} />
        </>
      )}
      {newestSkipped.length > 0 && (
        <SkippedSection newest={newestSkipped} {...{ ordersUrl, urls, words }} />
      )}
      {hours && <SendsChart {...{ hours, words }} />}
      <ListsSection i18n={req.i18n} {...{ config, sitesSlug, words }} />
    </>
  )
}

/** What a merchant or ShipStation's support looks up now and then. */
async function ToolsPage({ req, ordersSlug, words }: PageProps) {
  const { translate } = words
  const ordersUrl = adminUrl(req.payload.config, `/collections/${ordersSlug}`)
  const { catalogStatus, histories, overview, shippingSettings } = await partsOf(req.payload)
  const catalog = await catalogStatus?.()
  const compared = await overview.compared()
  const shipping = await shippingSettings?.get()
  return (
    <>
      {compared.length > 0 && <ComparedSection {...{ compared, words }} />}
      {overview.valueSources.length > 0 && (
        <Section heading={translate('valueSources')}>
          <p>{translate('valueSourcesIntro')}</p>
          <FactList>
            {overview.valueSources.map(({ value, from }) => (
              <Fact key={value} name={translate(value)}>
                <code>{from}</code>
              </Fact>
            ))}
          </FactList>
        </Section>
      )}
      {catalog && <CatalogSection status={catalog} words={words} />}
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
  ordersUrl: string
  urls: PlaceUrls
  words: Words
}

function SkippedSection({ newest, ordersUrl, urls, words: { translate } }: SkippedProps) {
  return (
    <Section heading={translate('overviewSkippedOrders')}>
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
    </Section>
  )
}

interface ListsProps {
  config: PayloadRequest['payload']['config']
  i18n: PayloadRequest['i18n']
  sitesSlug: string
  words: Words
}

/** Our lists that this store has. The menu has no place for them (`adminGroup`). */
function ListsSection({ config, i18n, sitesSlug, words }: ListsProps) {
  const lists = [...recordSlugs, sitesSlug].flatMap(
    (slug) => config.collections.find((collection) => collection.slug === slug) ?? [],
  )
  return (
    <Section heading={words.translate('overviewLists')}>
      <ul className="storeconnect-overview__summary">
        {lists.map(({ slug, labels }) => (
          <li key={slug}>
            <Link href={adminUrl(config, `/collections/${slug}`)}>
              {labelText(labels.plural, i18n)}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

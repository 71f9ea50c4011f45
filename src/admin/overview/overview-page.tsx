import type { PayloadRequest } from 'payload'
import type { Installed } from '../../installation.js'
import { adminUrl } from '../admin-urls.js'
import { exportUrl } from '../export-url.js'
import { HistorySection } from './history-section.js'
import { MarketingCard } from './marketing-card.js'
import { OrderPreview } from './order-preview.js'
import { overviewStyle } from './overview-style.js'
import { placeUrls } from './place-urls.js'
import { marketingState, shippingState } from './platform-state.js'
import { Section } from './section.js'
import { SelfRefresh } from './self-refresh.js'
import { SendsChart } from './sends-chart.js'
import { FailedSection, WaitingSection } from './sends-section.js'
import { ShippingCard } from './shipping-card.js'
import { SkippedSection } from './skipped-section.js'
import { StateSummary } from './state-summary.js'
import { WindowPreview } from './window-preview.js'
import type { Words } from './words.js'

interface OverviewPageProps {
  parts: Installed
  req: PayloadRequest
  ordersSlug: string
  words: Words
}

/** The sections, from what is most pressing to what is looked up now and then. */
export async function OverviewPage({ parts, req, ordersSlug, words }: OverviewPageProps) {
  const { headers, payload } = req
  const { translate } = words
  const facts = await parts.overview.facts()
  const details = await parts.overview.details()
  const { shipping, marketing } = facts
  const now = new Date()
  const states = {
    shipping: shippingState(shipping, now),
    marketing: marketingState(marketing, now),
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
        <StateSummary
          states={[
            { name: 'ShipStation', state: states.shipping },
            { name: 'Klaviyo', state: states.marketing },
          ]}
          {...{ facts, urls, words }}
        />
        <p>{translate('overviewTimes', { timezone: words.timezone })}</p>
      </header>
      <div className="storeconnect-overview__columns">
        <ShippingCard
          exportUrl={exportUrl(payload, headers)}
          facts={shipping}
          missingFields={parts.overview.missingProductFields}
          state={states.shipping}
          {...{ urls, words }}
        />
        <MarketingCard facts={marketing} state={states.marketing} {...{ urls, words }} />
      </div>
      <FailedSection failed={marketing.failed} {...{ urls, words }} />
      <WaitingSection waiting={marketing.waiting} {...{ urls, words }} />
      <SendsChart hours={details.hours} words={words} />
      <SkippedSection
        hasPulled={shipping.lastPull !== undefined}
        newest={details.newestSkipped}
        {...{ ordersUrl, urls, words }}
      />
      <HistorySection histories={parts.histories} words={words} />
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

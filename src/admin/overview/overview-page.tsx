import type { PayloadRequest } from 'payload'
import type { Installed } from '../../installation.js'
import { marketingSettingsSlug } from '../../store/payload/marketing-settings-global.js'
import { omissionsSlug } from '../../store/payload/omission-collection.js'
import { sendsSlug } from '../../store/payload/outbox/send-table.js'
import { shippingSettingsSlug } from '../../store/payload/shipping-settings-global.js'
import { adminUrl } from '../admin-urls.js'
import { exportUrl } from '../export-url.js'
import { shippingState } from './connection-state.js'
import { HistorySection } from './history-section.js'
import { MarketingCard } from './marketing-card.js'
import { OmissionsSection } from './omissions-section.js'
import { OrderPreview } from './order-preview.js'
import { overviewStyle } from './overview-style.js'
import { Section } from './section.js'
import { SendsChart } from './sends-chart.js'
import { FailedSection, WaitingSection } from './sends-section.js'
import { ShippingCard } from './shipping-card.js'
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
  const [reading, status, settings] = await Promise.all([
    parts.overview.read(),
    parts.deliveryStatus(),
    parts.settings.shipping(),
  ])
  const urlOf = (path: `/${string}`) => adminUrl(payload.config, path)
  const ordersUrl = urlOf(`/collections/${ordersSlug}`)
  const sendsUrl = urlOf(`/collections/${sendsSlug}`)

  return (
    <div className="storeconnect-overview">
      <style href="storeconnect-overview" precedence="medium">
        {overviewStyle}
      </style>
      <header>
        <h1>{translate('overview')}</h1>
        <p>{translate('overviewTimes', { timezone: words.timezone })}</p>
      </header>
      <div className="storeconnect-overview__columns">
        <ShippingCard
          reading={reading}
          settingsUrl={urlOf(`/globals/${shippingSettingsSlug}`)}
          state={shippingState(settings, reading, new Date())}
          statusHandle={settings.statusHandle}
          url={exportUrl(payload, headers)}
          username={settings.username}
          words={words}
        />
        <MarketingCard
          reading={reading}
          settingsUrl={urlOf(`/globals/${marketingSettingsSlug}`)}
          status={status}
          words={words}
        />
      </div>
      <FailedSection reading={reading} sendsUrl={sendsUrl} words={words} />
      <WaitingSection reading={reading} sendsUrl={sendsUrl} words={words} />
      <SendsChart hours={reading.hours} words={words} />
      <OmissionsSection
        listUrl={urlOf(`/collections/${omissionsSlug}`)}
        ordersUrl={ordersUrl}
        reading={reading}
        words={words}
      />
      <HistorySection histories={parts.histories} words={words} />
      <Section heading={translate('overviewOrderXml')}>
        <p>{translate('overviewOrderXmlIntro')}</p>
        <OrderPreview />
      </Section>
      <Section heading={translate('overviewWindow')}>
        <p>{translate('overviewWindowIntro')}</p>
        <WindowPreview hasStores={settings.storeField !== ''} ordersUrl={ordersUrl} />
      </Section>
    </div>
  )
}

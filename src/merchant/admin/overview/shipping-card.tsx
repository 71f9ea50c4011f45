import { Link } from '@payloadcms/ui'
import type { OverviewFacts } from '../../overview/overview.js'
import type { MissingProductField } from '../../../shop/orders/missing-product-fields.js'
import { pullState, pullStateTexts } from '../../../shipping/pull-collection.js'
import type { Pull } from '../../../shipping/pulls.js'
import { CopyButton } from './copy-button.js'
import { Fact, FactList, Moment } from './section.js'
import type { PlatformState } from '../../alerts/open-matters.js'
import type { PlaceUrls } from './place-urls.js'
import { IntegrationCard } from './integration-card.js'
import type { Words } from '../words.js'

interface ShippingCardProps {
  facts: NonNullable<OverviewFacts['shipping']>
  missingFields: readonly MissingProductField[]
  state: PlatformState
  urls: PlaceUrls
  /** The URL that ShipStation calls. */
  exportUrl: string
  words: Words
}

/** The state of ShipStation, and what a merchant enters there. */
export function ShippingCard({
  facts,
  missingFields,
  state,
  urls,
  exportUrl,
  words,
}: ShippingCardProps) {
  const { translate } = words
  const { lastPull, lastShipment } = facts
  return (
    <IntegrationCard name="ShipStation" {...{ state, words }}>
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
      <details open={state === 'not-set-up' || state === 'not-used-yet'}>
        <summary>
          <h3>{translate('overviewWhatToType')}</h3>
        </summary>
        <SetUpHelp {...{ facts, exportUrl, words }} />
      </details>
      <p>
        <Link href={urls.pulls}>{translate('pulls')}</Link>{' '}
        <Link href={urls['shipping-settings']}>{translate('overviewShippingSettings')}</Link>
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

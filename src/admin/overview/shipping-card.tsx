import { Link } from '@payloadcms/ui'
import type { MissingProductField, ShippingFacts } from '../../store/overview.js'
import type { Pull } from '../../store/platform-visits.js'
import { CopyButton } from './copy-button.js'
import { FactList } from './fact-list.js'
import { Moment } from './moment.js'
import type { PlaceUrls } from './place-urls.js'
import { PlatformCard } from './platform-card.js'
import type { PlatformState } from './platform-state.js'
import type { Words } from './words.js'

interface ShippingCardProps {
  facts: ShippingFacts
  missingFields: readonly MissingProductField[]
  state: PlatformState
  urls: PlaceUrls
  /** What ShipStation is to call. */
  exportUrl: string
  words: Words
}

/** How ShipStation is, and what to type there. */
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
    <PlatformCard name="ShipStation" {...{ state, urls, words }}>
      <FactList
        facts={[
          {
            name: translate('overviewLastPull'),
            value: <Moment at={lastPull?.at} words={words} />,
          },
          ...(lastPull === undefined
            ? []
            : [
                {
                  name: translate('overviewPulled'),
                  value: pulled(lastPull, words),
                },
              ]),
          {
            name: translate('overviewLastShipment'),
            value: (
              <>
                <Moment at={lastShipment?.at} words={words} />{' '}
                {lastShipment &&
                  [lastShipment.reference, lastShipment.carrier].filter(Boolean).join(' · ')}
              </>
            ),
          },
        ]}
      />
      {missingFields.length > 0 && (
        <p>
          {translate('overviewMissingFields', {
            fields: missingFields
              .map(({ part, path }) => `${translate(part)} (${path})`)
              .join(', '),
          })}
        </p>
      )}
      <details open={state.is === 'not-set-up'}>
        <summary>
          <h3>{translate('overviewWhatToType')}</h3>
        </summary>
        <SetUpHelp {...{ facts, exportUrl, words }} />
      </details>
      <p>
        <Link href={urls['shipping-settings']}>{translate('overviewShippingSettings')}</Link>
      </p>
    </PlatformCard>
  )
}

function pulled({ orders: onFirst, pages }: Pull, { translate, counted }: Words): string {
  const orders = counted('overviewOrders', onFirst)
  return pages > 1
    ? translate('overviewFirstOf', { orders, pages: counted('overviewPages', pages) })
    : orders
}

function SetUpHelp({
  facts: { settings },
  exportUrl,
  words,
}: Pick<ShippingCardProps, 'facts' | 'exportUrl' | 'words'>) {
  const { translate } = words
  return (
    <>
      <p>{translate('overviewWhereToType')}</p>
      <FactList
        facts={[
          {
            name: translate('overviewUrl'),
            value: (
              <span className="storeconnect-overview__row">
                <code>{exportUrl}</code>
                <CopyButton name={translate('overviewUrl')} text={exportUrl} />
              </span>
            ),
          },
          // As the merchant wrote it: a variable's value may be another one's secret.
          { name: translate('username'), value: settings.username || '–' },
          { name: translate('password'), value: translate('overviewPasswordOfSettings') },
          { name: translate('overviewPaidStatus'), value: <code>processing</code> },
          {
            name: translate('overviewShippedStatus'),
            value: <code>{settings.statusHandle}</code>,
          },
          { name: translate('overviewCancelledStatus'), value: <code>cancelled,refunded</code> },
        ]}
      />
    </>
  )
}

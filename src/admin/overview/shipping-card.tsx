import { Banner, Button } from '@payloadcms/ui'
import { ConnectionPill } from './connection-pill.js'
import type { ConnectionState, ShippingReading } from './connection-state.js'
import { CopyButton } from './copy-button.js'
import { FactList } from './fact-list.js'
import { Moment } from './moment.js'
import { Section } from './section.js'
import type { Words } from './words.js'

interface ShippingCardProps {
  reading: ShippingReading
  state: ConnectionState
  /** As the merchant wrote it: a variable's value may be another one's secret. */
  username: string
  statusHandle: string
  /** What ShipStation is to call. */
  url: string
  settingsUrl: string
  words: Words
}

/** How ShipStation is connected, and what to type there. */
export function ShippingCard(props: ShippingCardProps) {
  const { reading, state, username, statusHandle, url, settingsUrl, words } = props
  const { translate, number } = words
  const { lastPull, lastShipment } = reading
  const typed = [
    {
      name: translate('overviewUrl'),
      value: <Copied text={url} name="overviewUrl" words={words} />,
    },
    { name: translate('username'), value: username || '–' },
    { name: translate('password'), value: translate('overviewPasswordOfSettings') },
    { name: translate('overviewPaidStatus'), value: <code>processing</code> },
    { name: translate('overviewShippedStatus'), value: <code>{statusHandle}</code> },
    { name: translate('overviewCancelledStatus'), value: <code>cancelled,refunded</code> },
  ]

  return (
    <Section aside={<ConnectionPill state={state} words={words} />} heading="ShipStation" isCard>
      {state.advice && (
        <Banner type={state.is === 'error' ? 'error' : 'info'}>{translate(state.advice)}</Banner>
      )}
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
                  value: translate('overviewPulledPages', {
                    orders: number(lastPull.orders),
                    pages: number(lastPull.pages),
                  }),
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
      <h3>{translate('overviewWhatToType')}</h3>
      <p>{translate('overviewWhereToType')}</p>
      <FactList facts={typed} />
      <div>
        <Button buttonStyle="secondary" el="link" size="small" to={settingsUrl}>
          {translate('overviewShippingSettings')}
        </Button>
      </div>
    </Section>
  )
}

function Copied({ text, name, words }: { text: string; name: 'overviewUrl'; words: Words }) {
  return (
    <span className="storeconnect-overview__row">
      <code>{text}</code>
      <CopyButton name={words.translate(name)} text={text} />
    </span>
  )
}

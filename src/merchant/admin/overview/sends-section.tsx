import { Link } from '@payloadcms/ui'
import type { OverviewDetails } from '../../overview/overview.js'
import { waitText } from '../send-words.js'
import { RowsTable, Section } from './section.js'
import type { Words } from '../words.js'
import type { SendKind } from '../../../marketing/delivery/send.js'
import { countedAtMost, type MarketingFacts } from '../../overview/read-marketing.js'
import type { TranslationKey } from '../../../core/payload/label.js'
import { FailureTable } from './failure-table.js'
import { FocusKeeper } from './focus-keeper.js'
import type { PlaceUrls } from './place-urls.js'

/** Fewer labels than bars, so that they have room on a phone. */
const hoursPerLabel = 6

interface SendsChartProps {
  hours: NonNullable<OverviewDetails['hours']>
  words: Words
}

/** The sends of each of the last 24 hours, as bars and as a table. */
export function SendsChart({ hours, words }: SendsChartProps) {
  const { translate, number, hour } = words
  const most = Math.max(...hours.map(({ count }) => count))
  const total = hours.reduce((sum, { count }) => sum + count, 0)
  const summary = translate('overviewChartSummary', { total: number(total), most: number(most) })

  return (
    <Section heading={translate('overviewChart')}>
      <p>{summary}</p>
      <svg
        aria-label={summary}
        className="storeconnect-overview__chart"
        preserveAspectRatio="none"
        role="img"
        viewBox={`0 0 ${hours.length} 1`}
      >
        {hours.map(({ from, count }, index) => {
          const height = most === 0 ? 0 : count / most
          return (
            <rect
              height={height}
              key={from.toISOString()}
              width={0.7}
              x={index + 0.15}
              y={1 - height}
            >
              <title>{`${hour(from)}: ${number(count)}`}</title>
            </rect>
          )
        })}
      </svg>
      <div aria-hidden className="storeconnect-overview__axis">
        {hours.flatMap(({ from }, index) =>
          index % hoursPerLabel === 0 ? [<span key={from.toISOString()}>{hour(from)}</span>] : [],
        )}
      </div>
      <details>
        <summary>{translate('overviewChartTable')}</summary>
        <RowsTable
          columns={{ hour: translate('overviewHour'), sent: translate('sendSent') }}
          name="hours"
          rows={hours.map(({ from, count }) => ({
            id: from.toISOString(),
            cells: [words.moment(from), number(count)],
          }))}
        />
      </details>
    </Section>
  )
}

const kindNames: Readonly<Record<SendKind, TranslationKey>> = {
  event: 'overviewEvents',
  identify: 'overviewProfiles',
  'list-add': 'overviewListAdds',
  subscribe: 'overviewSubscriptions',
  erase: 'overviewErasures',
  'past-event': 'overviewPastEvents',
  consent: 'overviewConsents',
  unsubscribe: 'overviewUnsubscriptions',
  'back-in-stock': 'sendBackInStock',
}

interface SendsProps {
  facts: MarketingFacts
  urls: PlaceUrls
  words: Words
}

export function WaitingSection({ facts, urls, words }: SendsProps) {
  const { translate } = words
  const waiting = facts.waiting.filter(({ count }) => count > 0)
  if (waiting.length === 0) return null
  return (
    <Section heading={translate('overviewWaiting')}>
      <RowsTable
        columns={{
          kind: translate('sendKind'),
          count: translate('overviewCount'),
          why: translate('sendErrorDetail'),
        }}
        name="waiting"
        rows={waiting.map(({ kind, count, wait }) => ({
          id: kind,
          cells: [translate(kindNames[kind]), counted(count, words), wait && waitText(wait, words)],
        }))}
      />
      <p>
        <Link href={urls['waiting-sends']}>{translate('overviewOpenWaiting')}</Link>
      </p>
    </Section>
  )
}

export function FailedSection({ facts: { failed }, urls, words }: SendsProps) {
  const { translate } = words
  return (
    <FocusKeeper label={translate('overviewFailed')}>
      {failed.length > 0 && (
        <Section heading={translate('overviewFailed')}>
          <FailureTable
            failedUrl={urls['failed-sends']}
            failures={failed}
            name="failed"
            words={words}
          />
          <p>
            <Link href={urls.failures}>{translate('failuresHeading')}</Link>
          </p>
        </Section>
      )}
    </FocusKeeper>
  )
}

const counted = (count: number, { number }: Words) =>
  count < countedAtMost ? number(count) : `≥ ${number(countedAtMost)}`

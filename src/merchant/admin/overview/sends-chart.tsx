import type { OverviewDetails } from '../../overview/overview.js'
import { RowsTable } from './rows-table.js'
import { Section } from './section.js'
import type { Words } from '../words.js'

/** Fewer labels than bars, so that they have room on a phone. */
const hoursPerLabel = 6

/** The sends of each of the last 24 hours, as bars and as a table. */
export function SendsChart({
  hours,
  words,
}: {
  hours: NonNullable<OverviewDetails['hours']>
  words: Words
}) {
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
          columns={[
            { name: 'hour', heading: translate('overviewHour') },
            { name: 'sent', heading: translate('sendSent') },
          ]}
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

import type { SentHour } from '../../store/overview.js'
import { RowsTable } from './rows-table.js'
import { Section } from './section.js'
import type { Words } from './words.js'

const width = 720
const height = 160
const base = 136
const top = 20
const labelEvery = 4

/** Sends per hour of the last day, as bars and as a table. */
export function SendsChart({ hours, words }: { hours: SentHour[]; words: Words }) {
  const { translate, number, hour, timezone } = words
  const most = Math.max(...hours.map(({ count }) => count))
  const total = hours.reduce((sum, { count }) => sum + count, 0)
  const slot = width / hours.length
  const summary = translate('overviewChartSummary', { total: number(total), most: number(most) })

  return (
    <Section heading={translate('overviewChart')}>
      <p>{summary}</p>
      <svg
        aria-label={summary}
        className="storeconnect-overview__chart"
        role="img"
        viewBox={`0 0 ${width} ${height}`}
      >
        <line x1={0} x2={width} y1={base} y2={base} />
        {hours.map(({ from, count }, index) => {
          const tall = most === 0 ? 0 : ((base - top) * count) / most
          const middle = slot * (index + 0.5)
          return (
            <g key={from.toISOString()}>
              <rect
                height={tall}
                rx={2}
                width={slot * 0.7}
                x={slot * (index + 0.15)}
                y={base - tall}
              >
                <title>{`${hour(from)}: ${number(count)}`}</title>
              </rect>
              {count > 0 && count === most && (
                <text textAnchor="middle" x={middle} y={base - tall - 5}>
                  {number(count)}
                </text>
              )}
              {index % labelEvery === 1 && (
                <text textAnchor="middle" x={middle} y={base + 16}>
                  {hour(from)}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      <details>
        <summary>{translate('overviewChartTable', { timezone })}</summary>
        <RowsTable
          columns={[
            { name: 'hour', heading: translate('overviewHour') },
            { name: 'sent', heading: translate('sendSent') },
          ]}
          rows={hours.map(({ from, count }) => ({
            id: from.toISOString(),
            cells: [words.moment(from), number(count)],
          }))}
        />
      </details>
    </Section>
  )
}

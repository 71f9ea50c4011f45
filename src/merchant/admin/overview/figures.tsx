import type { OverviewDetails, OverviewFacts } from '../../overview/overview.js'
import type { Words } from '../words.js'

interface FiguresProps {
  facts: OverviewFacts
  today: OverviewDetails['today']
  words: Words
}

/** How the day goes, in two lines. */
export function Figures({ facts: { marketing }, today, words }: FiguresProps) {
  const { translate, number, duration } = words
  const sum = (counts: readonly { count: number }[]) =>
    number(counts.reduce((total, { count }) => total + count, 0))
  const { shipped, delivered } = today
  const latencies = delivered?.latencies
  return (
    <div>
      {shipped && (
        <p>
          {translate('figuresOrders', {
            pulled: number(shipped.pulled),
            shipped: number(shipped.shipped),
          })}
        </p>
      )}
      {marketing && delivered && (
        <p>
          {translate('figuresEvents', {
            delivered: number(delivered.delivered),
            waiting: sum(marketing.waiting),
            failed: sum(marketing.failed),
          })}{' '}
          {latencies &&
            translate('figuresLatency', {
              p50: duration(latencies.p50),
              p95: duration(latencies.p95),
            })}
        </p>
      )}
    </div>
  )
}

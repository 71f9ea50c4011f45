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
  const { delivered, latencies } = today
  const counts = {
    delivered: number(delivered),
    waiting: sum(marketing.waiting),
    failed: sum(marketing.failed),
  }
  return (
    <div>
      <p>
        {translate('figuresOrders', {
          pulled: number(today.pulled),
          shipped: number(today.shipped),
        })}
      </p>
      <p>
        {translate('figuresEvents', counts)}{' '}
        {latencies &&
          translate('figuresLatency', {
            p50: duration(latencies.p50),
            p95: duration(latencies.p95),
          })}
      </p>
    </div>
  )
}

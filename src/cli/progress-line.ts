import { reasonsThatApply } from '../history/passed-over.js'
import { shareDone } from '../history/share-done.js'
import type { HistoryRun } from '../history/history-table.js'
import { en } from '../translations/en.js'

const barWidth = 30

/** How far a run is, as one line. */
export function progressLine(run: HistoryRun): string {
  const { state, done, total, events, passedOver } = run
  const share = shareDone(run)
  if (total === undefined || share === undefined) return `${words[state]} …`
  // Orders that came since it was counted.
  const all = Math.max(total, done)
  const filled = Math.floor(share * barWidth)
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
  const counts = `${shown(done)} of ${ordersShown(all)}, ${shown(events)} events`
  const left = passedOver === 0 ? '' : `, ${ordersShown(passedOver)} passed over`
  return `${bar} ${Math.floor(share * 100)} %  ${words[state]}: ${counts}${left}`
}

/** Why orders were passed over, a line for each reason that applies. */
export const passedOverLines = ({ passedOverFor }: Pick<HistoryRun, 'passedOverFor'>): string[] =>
  reasonsThatApply(passedOverFor).map(
    ({ reason, count }) => `  ${en[reason].replace('{{count}}', shown(count))}`,
  )

const words: Record<HistoryRun['state'], string> = {
  counting: 'Counting',
  running: 'Sending',
  paused: 'Paused',
  cancelled: 'Cancelled',
  done: 'Done',
  failed: 'Stopped',
}

const shown = (count: number): string => count.toLocaleString('en')

export const ordersShown = (count: number): string =>
  `${shown(count)} ${count === 1 ? 'order' : 'orders'}`

import type { HistoryRun } from './history-table.js'

/** How much of a run is done, from 0 to 1; undefined until its orders are counted. */
export function shareDone({
  state,
  done,
  total,
}: Pick<HistoryRun, 'state' | 'done' | 'total'>): number | undefined {
  if (total === undefined) return undefined
  if (state === 'done') return 1
  // Orders that came since it was counted are done too.
  return done / Math.max(total, done, 1)
}

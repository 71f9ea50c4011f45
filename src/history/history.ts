import type { ResolvedOptions } from '../options/resolve-options.js'
import { createHistories } from './histories.js'
import { createHistoryWork, type HistoryWorkParts } from './history-work.js'
import { createHistoryWorker } from './history-worker.js'
import { createPastOrders } from './past-orders.js'

type HistoryParts = Omit<HistoryWorkParts, 'pastOrders'> & { options: ResolvedOptions }

/** The history, for people and for the worker that sends it. */
export function createHistory(parts: HistoryParts) {
  const pastOrders = createPastOrders(parts.database, parts.options)
  const work = createHistoryWork({ ...parts, pastOrders })
  return {
    histories: createHistories({ ...parts, pastOrders }),
    work,
    worker: createHistoryWorker({ work, clock: parts }),
  }
}

import type { Worker } from '../delivery/worker.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import { createHistories } from './histories.js'
import { createHistoryPages, type HistoryPageParts } from './history-page.js'
import type { Histories } from './history-run.js'
import { createHistoryWork, type HistoryWork, type HistoryWorkParts } from './history-work.js'
import { createHistoryWorker } from './history-worker.js'
import { createPastOrders } from './past-orders.js'

type HistoryParts = Omit<HistoryWorkParts, 'pastOrders' | 'composePage'> &
  HistoryPageParts & { options: ResolvedOptions }

/** The history, for people and for the worker that sends it. */
export function createHistory(parts: HistoryParts): {
  histories: Histories
  work: HistoryWork
  worker: Worker
} {
  const pastOrders = createPastOrders(parts.database, parts.options)
  const work = createHistoryWork({ ...parts, pastOrders, composePage: createHistoryPages(parts) })
  return {
    histories: createHistories({ ...parts, pastOrders }),
    work,
    worker: createHistoryWorker({ work, clock: parts }),
  }
}

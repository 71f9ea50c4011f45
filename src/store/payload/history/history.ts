import type { ResolvedOptions } from '../../../options/resolve-options.js'
import type { Histories, HistoryWork } from '../../../history/history-run.js'
import { createHistories } from '../../../history/histories.js'
import { createHistoryWork, type HistoryWorkParts } from './history-work.js'
import { createPageTeller, type PageTellerParts } from '../../../history/history-page.js'
import { createPastOrders } from '../../../history/past-orders.js'

type HistoryParts = Omit<HistoryWorkParts, 'pastOrders' | 'tellPage'> &
  Omit<PageTellerParts, 'log'> & { options: ResolvedOptions }

/** The history, for people and for the worker that sends it. */
export function createHistory(parts: HistoryParts): { histories: Histories; work: HistoryWork } {
  const pastOrders = createPastOrders(parts.database, parts.options)
  const tellPage = createPageTeller({ ...parts, log: parts.payload.logger })
  return {
    histories: createHistories({ ...parts, pastOrders }),
    work: createHistoryWork({ ...parts, pastOrders, tellPage }),
  }
}

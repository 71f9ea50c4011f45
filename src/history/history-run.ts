import type { DocumentId } from '../commerce/order.js'
import type { PassedOverCounts } from './passed-over.js'

/** Days as the shop's calendar has them, `2025-01-31`. The last one is not part of it. */
export interface HistoryPeriod {
  from: string
  to: string
}

/** `paused` and `failed` can go on; `cancelled` and `done` are the end. */
export type HistoryState = 'counting' | 'running' | 'paused' | 'cancelled' | 'done' | 'failed'

/** Why a run failed, as the key of the sentence that says so. */
export type HistoryError = 'historyGivenUp'

/** Past orders on their way to the marketing platform. */
export interface HistoryRun extends HistoryPeriod {
  id: DocumentId
  state: HistoryState
  /** Orders of the period, counted once at the beginning; undefined until then. */
  total: number | undefined
  /** Orders that were looked at. */
  done: number
  /** Events that were put into the queue. What was in it already, sent or not, is not counted. */
  events: number
  /** Orders that have nothing to tell: without a valid email, say. Those told before are not counted. */
  passedOver: number
  /** Why, counted each. Absent until the first page, and for a run of an earlier version. */
  passedOverFor?: PassedOverCounts
  /** Undefined when it did not fail. */
  lastError: HistoryError | undefined
  /** Who began it; undefined for nobody that is known. */
  startedBy: string | undefined
  startedAt: Date
  endedAt: Date | undefined
}

/** What people do with the history. */
export interface Histories {
  countOrders(period: HistoryPeriod): Promise<number>
  /** Begins a run. While another one is under way that one is given instead; a failed one is not. */
  start(
    period: HistoryPeriod,
    options: { startedBy: string | undefined },
  ): Promise<{ run: HistoryRun; isNew: boolean }>
  /** These three resolve to the run, and to undefined when it is not in a state for it. */
  pause(id: DocumentId): Promise<HistoryRun | undefined>
  /** A failed one goes on only where no other is under way. */
  resume(id: DocumentId): Promise<HistoryRun | undefined>
  /** What is in the queue by then is sent all the same. */
  cancel(id: DocumentId): Promise<HistoryRun | undefined>
  /** The run that began last. */
  latest(): Promise<HistoryRun | undefined>
  find(id: DocumentId): Promise<HistoryRun | undefined>
}

import type { DocumentId } from '../commerce/order.js'

/** Days as the shop's calendar has them, `2025-01-31`. The last one is not part of it. */
export interface HistoryPeriod {
  from: string
  to: string
}

/** `paused` and `failed` can go on; `cancelled` and `done` are the end. */
export type HistoryState = 'counting' | 'running' | 'paused' | 'cancelled' | 'done' | 'failed'

/** Past orders on their way to the marketing platform. */
export interface HistoryRun extends HistoryPeriod {
  id: DocumentId
  state: HistoryState
  /** Orders of the period, counted once at the beginning; undefined until then. */
  total: number | undefined
  /** Orders that were looked at. */
  done: number
  /** Events that were put into the queue. What was there already is not counted. */
  events: number
  /** Orders that nothing is told of: without a valid email, or told as they happened. */
  passedOver: number
  /** Why it stopped; undefined when it did not. */
  lastError: string | undefined
  /** Who began it; undefined for nobody that is known. */
  startedBy: string | undefined
  startedAt: Date
  endedAt: Date | undefined
}

/** What people do with the history. */
export interface Histories {
  countOrders(period: HistoryPeriod): Promise<number>
  /** Begins a run. While another one is under way that one is given instead. */
  start(
    period: HistoryPeriod,
    options: { startedBy: string | undefined },
  ): Promise<{ run: HistoryRun; isNew: boolean }>
  /** These three resolve to the run, and to undefined when it is not in a state for it. */
  pause(id: DocumentId): Promise<HistoryRun | undefined>
  resume(id: DocumentId): Promise<HistoryRun | undefined>
  /** What is in the queue by then is sent all the same. */
  cancel(id: DocumentId): Promise<HistoryRun | undefined>
  /** The run that began last. */
  latest(): Promise<HistoryRun | undefined>
  find(id: DocumentId): Promise<HistoryRun | undefined>
}

/** A run in one worker's hands. */
export interface HistoryClaim {
  id: DocumentId
  /** Every write must carry it. */
  token: string
}

/** What a worker does for the history. */
export interface HistoryWork {
  /** The run that is under way, unless another worker's lease on it has not ended. */
  claim(): Promise<HistoryClaim | undefined>
  /**
   * One step: the orders are counted, or a page of them is told. Events, counters and how far it has
   * come are written together, so that after a kill the next worker goes on exactly there. Resolves to
   * whether the claim still stands: not when the run is over, was stopped, or is another worker's.
   */
  step(claim: HistoryClaim): Promise<boolean>
  /** Has the run fail, for the merchant to see; it can be resumed. */
  giveUp(claim: HistoryClaim, reason: string): Promise<void>
  /** Events that wait in the queue, of whatever kind; counted up to a number. */
  waitingEvents(countUpTo: number): Promise<number>
}

import type { DocumentId } from '../commerce/order.js'
import type { Lane } from '../delivery/outbox.js'
import type { FailedVisit, Pull } from './platform-visits.js'

/** What a merchant's page shows at first sight. */
export interface OverviewReading {
  lastPull: Pull | undefined
  /** The last request of the shipping platform that the shop could not answer. */
  lastFailure: FailedVisit | undefined
  lastShipment: NotedShipment | undefined
  lastSentAt: Date | undefined
  /** One for each lane, in the order of delivery. */
  waiting: WaitingSends[]
  /** The most frequent reason first. */
  failed: FailedReason[]
  /** The hours of the last day, the oldest first; the last one is not over. */
  hours: SentHour[]
  omissions: { count: number; newest: NotedOmission[] }
}

export interface NotedShipment {
  at: Date
  reference: string
  carrier: string
}

export interface WaitingSends {
  lane: Lane
  /** Sends that wait or are on their way, counted up to `countedAtMost`. */
  count: number
  /** When the first of them is to be tried; undefined when none has a moment. */
  nextAt: Date | undefined
}

export interface FailedReason {
  /** The error's code. */
  code: string
  count: number
  /** What the platform said of the newest of them. */
  detail: string
}

export interface SentHour {
  from: Date
  count: number
}

export interface NotedOmission {
  orderId: DocumentId | undefined
  reference: string
  reasons: string
}

/**
 * The numbers of the merchant's page. They come from indexes, never from walking over all sends; only
 * those that failed, of which a merchant is to leave none, are all counted.
 */
export interface Overview {
  read(): Promise<OverviewReading>
  /**
   * Puts the failed sends of an error's code back into the queue, up to `resentAtMost` of them, the
   * oldest first. Resolves to how many.
   */
  resend(code: string): Promise<number>
}

/** Beyond, the exact number tells a merchant nothing and costs the database more. */
export const countedAtMost = 10_000

/** So many at once; more need another click. */
export const resentAtMost = 50_000

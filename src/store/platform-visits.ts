import type { ProblemCode } from '../errors.js'

/** A pull of the shipping platform: its request for the first page of an export. */
export interface Pull {
  at: Date
  /** How many orders were on that page. */
  orders: number
  pages: number
}

/** A request of the shipping platform that the shop could not answer. */
export interface FailedVisit {
  at: Date
  action: 'export' | 'shipnotify'
  code: ProblemCode
}

/** When the shipping platform was last here. Nothing of the orders themselves. */
export interface PlatformVisits {
  pulled(pull: Pull): Promise<void>
  failed(visit: FailedVisit): Promise<void>
  /** Undefined when it never pulled. */
  lastPull(): Promise<Pull | undefined>
  /** The last one of each action; none when all went well so far. */
  lastFailures(): Promise<FailedVisit[]>
}

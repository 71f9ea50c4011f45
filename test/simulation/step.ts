import type { Fault } from '../../dev/klaviyo/faults.ts'
import type { ProductStep } from './catalog.js'
import type { CouponStep, RunOutStep } from './coupons.js'
import type { ErasureStep } from './erasures.js'
import type { OutageStep } from './outages.js'
import type { PostStep } from './posts.js'
import type { ProcessStep } from './processes.js'
import type { ReviewStep } from './reviews.js'
import type { ScopeStep } from './scopes.js'
import type { ShipmentStep } from './shipments.js'
import type { CallTroubleStep } from './troubled-calls.js'
import type { WaitingStep } from './waiting.js'

/** One seed and one list of steps decide all that happens. */
export type Step =
  | PostStep
  | ShipmentStep
  | ErasureStep
  | ProductStep
  | ReviewStep
  | WaitingStep
  | CouponStep
  | RunOutStep
  | ProcessStep
  | CallTroubleStep
  | OutageStep
  | ScopeStep
  | { do: 'trouble at Klaviyo'; fault: Fault }
  /** For so long. */
  | { do: 'the database'; state: 'is full' | 'is away'; ms: number }
  | { do: 'end of troubles' }
  | { do: 'wait'; ms: number }

export interface Run {
  /**
   * Of the outbox alone: nobody reads the shop's own documents, which takes most of the time. Of `functions`:
   * the same, on a host that stops a process some time after its answer, until it is asked again.
   */
  of: 'outbox' | 'functions' | 'shop'
  seed: number
  /** How many there are. One alone has more happen at once. */
  people: number
  steps: readonly Step[]
}

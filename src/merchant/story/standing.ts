import { endingStatuses, type Parcel, type Tracking } from '../../shop/orders/happening.js'
import { trackingUrl } from '../../shop/orders/tracking-url.js'
import type { OrderFacts } from './story.js'

/** How an order stands at ShipStation, for a list and above its story. Every moment is an ISO date. */
export type Standing =
  | {
      is: 'shipped'
      carrier: string
      trackingNumber: string
      /** The carrier's page of the parcel. */
      url?: string
      /** How many parcels there are; the one that is named came last. */
      parcels: number
    }
  | { is: 'skipped'; reasons: string }
  | { is: 'pulled'; at: string }
  | { is: 'waits' }

export interface StandingFacts extends Pick<OrderFacts, 'skipped' | 'pulls'> {
  parcels: readonly Parcel[]
  /** What somebody has written into the order by hand. */
  tracking: Tracking | undefined
  status: string | undefined
  /** Whether a pull of its dates would have it. */
  canBePulled: boolean
}

/** Undefined: there is nothing to say, as of a draft or a cancelled order that nobody has pulled. */
export function standingOf(facts: StandingFacts): Standing | undefined {
  const { parcels, tracking, skipped, pulls, status = '', canBePulled } = facts
  const parcel = parcels.at(-1) ?? (tracking?.trackingNumber ? tracking : undefined)
  if (parcel !== undefined) {
    const { carrier, trackingNumber } = parcel
    const url = trackingUrl(parcel)
    const count = Math.max(parcels.length, 1)
    return { is: 'shipped', carrier, trackingNumber, ...(url && { url }), parcels: count }
  }
  if (skipped !== undefined) return { is: 'skipped', reasons: skipped.reasons }
  const pull = pulls.find(({ isAnswered }) => isAnswered)
  if (pull !== undefined) return { is: 'pulled', at: pull.at.toISOString() }
  const isOver = endingStatuses.has(status) || status === 'completed' || status === 'shipped'
  return canBePulled && !isOver ? { is: 'waits' } : undefined
}

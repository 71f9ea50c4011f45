import { endingStatuses, type Parcel, type Tracking } from '../../shop/orders/happening.js'
import { trackingUrl } from '../../shop/orders/tracking-url.js'
import type { Standing } from './story-entry.js'

interface DepartureFacts {
  skipped: { reasons: string } | undefined
  parcels: readonly Parcel[]
  /** What somebody has written into the order by hand. */
  tracking: Tracking | undefined
}

interface StandingFacts extends DepartureFacts {
  /** When it was last in a pull whose page was answered. */
  pulledAt: Date | undefined
  status: string | undefined
  /** The status of an order that is shipped. */
  shippedStatus: string
  /** Whether a pull of its dates would have it. */
  canBePulled: boolean
}

/** Undefined: there is nothing to say, as of a draft or a cancelled order that nobody has pulled. */
export function standingOf(facts: StandingFacts): Standing | undefined {
  const { pulledAt, status = '', shippedStatus, canBePulled } = facts
  const known = standingWithoutPulls(facts)
  if (known !== undefined) return known
  if (pulledAt !== undefined) return { is: 'pulled', at: pulledAt.toISOString() }
  const isOver = endingStatuses.has(status) || [shippedStatus, 'completed'].includes(status)
  return canBePulled && !isOver ? { is: 'waits' } : undefined
}

/** Of an order that has left or was skipped, whatever pulls it was in. */
export function standingWithoutPulls(facts: DepartureFacts): Standing | undefined {
  const { parcels, tracking, skipped } = facts
  const last = parcels.findLast(({ state }) => state !== 'delivered') ?? parcels.at(-1)
  const parcel: (Tracking & Pick<Parcel, 'state'>) | undefined =
    last ?? (tracking?.trackingNumber ? tracking : undefined)
  if (parcel !== undefined) {
    const { carrier, trackingNumber, state } = parcel
    const url = trackingUrl(parcel)
    const count = Math.max(parcels.length, 1)
    const more = { ...(url && { url }), ...(state && { state }) }
    return { is: 'shipped', carrier, trackingNumber, ...more, parcels: count }
  }
  return skipped && { is: 'skipped', reasons: skipped.reasons }
}

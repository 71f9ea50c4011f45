import type { ParcelState, StateOfParcel } from './parcel-state.js'
import type { StatusChange } from './status-history.js'

export interface StatusWords {
  /** The handle of the status that a shipped order moves to. */
  shippedStatus: string
  /** What people call a status, in English. */
  labelOf: (status: string) => string
}

/** How a parcel is sent. A value that is not known is blank. */
export interface Tracking {
  carrier: string
  service: string
  trackingNumber: string
}

export interface Parcel extends Tracking {
  /** The tracking number, or the notice's id if it has none. The same parcel always has the same id. */
  id: string
  /** When the shop received the notice. Absent: at the change of status. */
  shippedAt?: Date
  /** How many items the parcels so far lack. Absent for a parcel with the whole order, or when not known. */
  itemsLeft?: number
  /** What the carrier said last; absent for a parcel that nobody tracks. */
  state?: ParcelState
  /** What the carrier has said so far, the earliest first. */
  states?: readonly StateOfParcel[]
  /** The day of delivery that the carrier expects, as an ISO date. */
  estimatedDelivery?: string
}

export interface StatusHappening {
  kind: 'status'
  status: string
  label: string
  count: number
  at: Date
  off?: StatusChange['off']
  /** For the shipped status: the order's parcels, with an event for each. */
  parcels: readonly Parcel[]
  isShipped: boolean
  /** The order's tracking entry, used when no parcel is known. */
  tracking?: Tracking
}

/** A parcel got into a state. */
export interface ParcelHappening {
  kind: 'parcel'
  state: ParcelState
  at: Date
  off?: StatusChange['off']
  parcel: Parcel
}

export type OrderHappening =
  | { kind: 'placed'; at: Date; off?: StatusChange['off'] }
  | { kind: 'reviewable'; at: Date; off?: StatusChange['off'] }
  | StatusHappening
  | ParcelHappening

/** The status of a refund; its event has a switch of its own. */
export const refundedStatus = 'refunded'

/** The statuses that end an order. Their first event has the order's own id, so that Klaviyo connects both. */
export const endingStatuses: ReadonlySet<string> = new Set([
  'cancelled',
  'canceled',
  refundedStatus,
])

export interface StatusHistory extends StatusWords {
  changes: readonly StatusChange[]
  parcels: readonly Parcel[]
  tracking?: Tracking | undefined
  /** What happened earlier is left out. Absent: nothing is left out. */
  since?: Date
}

/**
 * What happened to an order. The first entry of its status history becomes Placed Order, each other entry a change
 * of status, and a parcel that no such change covers one more shipment. What the carriers said comes last.
 */
export function happeningsOf(history: StatusHistory): OrderHappening[] {
  const happenings = history.changes.flatMap((change): OrderHappening[] => {
    const at = new Date(change.at)
    if (change.isImport === true || !isSince(at, history)) return []
    const off = change.off && { off: change.off }
    if (change.placed === true) return [{ kind: 'placed', at, ...off }]
    return [{ ...statusChanged(change, at, history), ...off }]
  })
  const isShippedNow = happenings.some((each) => each.kind === 'status' && each.isShipped)
  const further = isShippedNow ? [] : furtherParcels(history)
  return [...happenings, ...further, ...trackedParcels(history)]
}

const trackedParcels = (history: StatusHistory): ParcelHappening[] =>
  history.parcels
    .flatMap((parcel) =>
      (parcel.states ?? [])
        .filter(({ receivedAt, isOff }) => !isOff && isSince(receivedAt, history))
        .map(({ state, at }) => ({ kind: 'parcel' as const, state, at, parcel })),
    )
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())

function statusChanged(
  { status, count }: Pick<StatusChange, 'status' | 'count'>,
  at: Date,
  { parcels, tracking, shippedStatus, labelOf }: StatusHistory,
): StatusHappening {
  const isShipped = status === shippedStatus
  return {
    kind: 'status',
    status,
    label: labelOf(status),
    count,
    at,
    parcels: isShipped ? parcels : [],
    isShipped,
    ...(tracking !== undefined && { tracking }),
  }
}

/** Parcels of an order that was shipped before; none if an import set the shipped status. */
function furtherParcels(history: StatusHistory): OrderHappening[] {
  const { changes, parcels, shippedStatus: status } = history
  if (changes.findLast((change) => change.status === status)?.isImport === true) return []
  return parcels.flatMap((parcel) => {
    const at = parcel.shippedAt
    if (at === undefined || !isSince(at, history)) return []
    return [statusChanged({ status, count: 1 }, at, { ...history, parcels: [parcel] })]
  })
}

const isSince = (at: Date, { since }: StatusHistory) => since === undefined || at >= since

/** Splits happenings into one for each parcel, each before the first change of status after it. */
export function oneByOne(happenings: readonly OrderHappening[]): OrderHappening[] {
  const ordered = happenings.filter((each) => parcelsOf(each).length === 0)
  for (const happening of happenings) {
    for (const parcel of parcelsOf(happening)) {
      const at = parcel.shippedAt ?? happening.at
      const after = ordered.findIndex(
        (other) =>
          other.kind === 'parcel' ||
          (other.kind === 'status' && parcelsOf(other).length === 0 && other.at > at),
      )
      const place = after === -1 ? ordered.length : after
      ordered.splice(place, 0, { ...happening, parcels: [parcel] } as OrderHappening)
    }
  }
  return ordered
}

const parcelsOf = (each: OrderHappening) => (each.kind === 'status' ? each.parcels : [])

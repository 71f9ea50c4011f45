import type { BuiltInEvent } from '../settings/marketing-settings.js'

/** What an order's statuses mean. */
export interface StatusWords {
  /** The handle of the status that a shipped order moves to. */
  shippedStatus: string
  /** What people call a status, in English. */
  labelOf: (status: string) => string
}

/** One entry of an order's history: it entered a status. */
export interface StatusChange {
  status: string
  /** ISO 8601. */
  at: string
  /** How often it has entered that status: 1 for the first time. */
  count: number
  /** The order was made with this status: it is what Placed Order stands for. */
  placed?: true
  /** From an import or a seed: nothing is sent of it. */
  silent?: true
  /** What was switched off then: it is not sent when it is switched on later. */
  off?: readonly BuiltInEvent[]
}

/** By whom something is sent, and where to look for it. Blank: not known. */
export interface Tracking {
  carrier: string
  service: string
  trackingNumber: string
}

/** One parcel of an order. */
export interface Parcel extends Tracking {
  /** The tracking number, or the notice's id where it has none. The same for the same parcel. */
  id: string
  /** When the shop learned of it. Absent: with the change of status. */
  shippedAt?: Date
}

/** It entered a status. */
export interface StatusHappening {
  kind: 'status'
  status: string
  /** What people call the status, in English. */
  label: string
  count: number
  at: Date
  off?: StatusChange['off']
  /** For the shipped status: one event for each. */
  parcels: readonly Parcel[]
  /** Whether it is the status that a shipped order moves to. */
  isShipped: boolean
  /** The order's tracking entry, which stands in where no parcel is known. */
  tracking?: Tracking
}

/** Something that happened to an order. */
export type OrderHappening =
  { kind: 'placed'; at: Date; off?: StatusChange['off'] } | StatusHappening

/** The status of a refund; its event has a switch of its own. */
export const refundedStatus = 'refunded'

/** The switches of the settings that a happening's events go by. */
export function switchesOf(
  happening: { kind: 'placed' } | { kind: 'status'; status: string },
): readonly BuiltInEvent[] {
  if (happening.kind === 'placed') return ['placedOrder', 'orderedProduct']
  return [happening.status === refundedStatus ? 'refundedOrder' : 'statusChanged']
}

/** What is known of what happened to an order. */
export interface OrderHistory extends StatusWords {
  changes: readonly StatusChange[]
  parcels: readonly Parcel[]
  /** The order's tracking entry. */
  tracking?: Tracking | undefined
  /** What happened before is passed over. Absent: nothing is. */
  since?: Date
}

/**
 * What an order's history stands for: the entry of its making for Placed Order, each other one for
 * its status, and a parcel that no such entry has for one more shipment. The same history always
 * gives the same, so that reporting it again sends nothing new.
 */
export function happeningsOf(history: OrderHistory): OrderHappening[] {
  const happenings = history.changes.flatMap((change): OrderHappening[] => {
    const at = new Date(change.at)
    if (change.silent === true || !isSince(at, history)) return []
    const off = change.off && { off: change.off }
    if (change.placed === true) return [{ kind: 'placed', at, ...off }]
    return [{ ...statusChanged(change, at, history), ...off }]
  })
  const isShippedNow = happenings.some((each) => each.kind === 'status' && each.isShipped)
  return isShippedNow ? happenings : [...happenings, ...furtherParcels(history)]
}

function statusChanged(
  { status, count }: Pick<StatusChange, 'status' | 'count'>,
  at: Date,
  { parcels, tracking, shippedStatus, labelOf }: OrderHistory,
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

/** Parcels of an order that was shipped before. Those of an import are as silent as it is. */
function furtherParcels(history: OrderHistory): OrderHappening[] {
  const { changes, parcels, shippedStatus: status } = history
  if (changes.findLast((change) => change.status === status)?.silent === true) return []
  return parcels.flatMap((parcel) => {
    const at = parcel.shippedAt
    if (at === undefined || !isSince(at, history)) return []
    return [statusChanged({ status, count: 1 }, at, { ...history, parcels: [parcel] })]
  })
}

const isSince = (at: Date, { since }: OrderHistory) => since === undefined || at >= since

/**
 * Happenings with one parcel each, so that each is reported or not, and in the order in which they
 * happened: the history's own, and each parcel before the first change that came after it.
 */
export function oneByOne(happenings: readonly OrderHappening[]): OrderHappening[] {
  const ordered = happenings.filter((each) => parcelsOf(each).length === 0)
  for (const happening of happenings) {
    for (const parcel of parcelsOf(happening)) {
      const at = parcel.shippedAt ?? happening.at
      const after = ordered.findIndex(
        (other) => other.kind === 'status' && parcelsOf(other).length === 0 && other.at > at,
      )
      const place = after === -1 ? ordered.length : after
      ordered.splice(place, 0, { ...happening, parcels: [parcel] } as OrderHappening)
    }
  }
  return ordered
}

const parcelsOf = (each: OrderHappening) => (each.kind === 'status' ? each.parcels : [])

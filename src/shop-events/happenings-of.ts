import type { OrderHappening, Parcel, StatusChange, StatusWords, Tracking } from './happening.js'

/** What is known of what happened to an order. */
export interface OrderHistory extends StatusWords {
  changes: readonly StatusChange[]
  parcels: readonly Parcel[]
  /** The order's tracking entry. */
  tracking?: Tracking
  /** What happened before is passed over. Absent: nothing is. */
  since?: Date
}

/**
 * What an order's history stands for: the entry of its making for Placed Order, each other one for
 * its status, and a parcel that no such entry tells of for one more shipment. The same history always
 * gives the same, so that telling it again tells nothing new.
 */
export function happeningsOf(history: OrderHistory): OrderHappening[] {
  const told = history.changes
    .filter((change) => change.silent !== true && isSince(new Date(change.at), history))
    .map((change): OrderHappening => {
      const at = new Date(change.at)
      return change.placed === true
        ? { kind: 'placed', at, ...(change.off && { off: change.off }) }
        : statusChanged(change, at, history)
    })
  const tellsParcels = told.some((happening) => happening.kind === 'status' && happening.isShipped)
  return tellsParcels ? told : [...told, ...furtherParcels(history)]
}

function statusChanged(
  { status, count, off }: StatusChange,
  at: Date,
  { parcels, tracking, shippedStatus, labelOf }: OrderHistory,
): OrderHappening {
  const isShipped = status === shippedStatus
  return {
    kind: 'status',
    status,
    label: labelOf(status),
    count,
    at,
    ...(off && { off }),
    parcels: isShipped ? parcels : [],
    isShipped,
    ...(tracking !== undefined && { tracking }),
  }
}

/** Parcels of an order that was shipped before. Those of an import are as silent as it is. */
function furtherParcels(history: OrderHistory): OrderHappening[] {
  const { changes, parcels, shippedStatus } = history
  if (changes.findLast(({ status }) => status === shippedStatus)?.silent === true) return []
  return parcels.flatMap((parcel) => {
    const at = parcel.shippedAt
    if (at === undefined || !isSince(at, history)) return []
    const change: StatusChange = { status: shippedStatus, at: '', count: 1 }
    return [statusChanged(change, at, { ...history, parcels: [parcel] })]
  })
}

const isSince = (at: Date, { since }: OrderHistory) => since === undefined || at >= since

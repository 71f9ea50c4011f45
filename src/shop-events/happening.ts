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

/** Something that happened to an order. */
export type OrderHappening =
  | { kind: 'placed'; at: Date; off?: StatusChange['off'] }
  | {
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

export type StatusHappening = OrderHappening & { kind: 'status' }

/** The status of a refund; its event has a switch of its own. */
export const refundedStatus = 'refunded'

/** The switches of the settings that a happening's events go by. */
export function switchesOf(
  happening: { kind: 'placed' } | { kind: 'status'; status: string },
): readonly BuiltInEvent[] {
  if (happening.kind === 'placed') return ['placedOrder', 'orderedProduct']
  return [happening.status === refundedStatus ? 'refundedOrder' : 'statusChanged']
}

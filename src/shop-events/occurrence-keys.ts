import type { Order } from '../commerce/order.js'
import type { OrderHappening, Parcel, StatusChange } from './happening.js'
import { partUniqueId } from './unique-id.js'

type Numbered = Pick<Order, 'id' | 'number'>
type StatusHappening = OrderHappening & { kind: 'status' }

/**
 * Keys of an order's sends. They name what happened and not what it is called: whoever changes an
 * event's name, or a line's row, has nothing sent twice.
 */
export const placedKey = (order: Numbered): string => keyOf(order, 'placed')

/** By the line's place: rows that are saved without their ids get new ones. */
export const lineKey = (order: Numbered, index: number): string =>
  keyOf(order, 'line', String(index))

export const statusKey = (
  order: Numbered,
  { status, count }: Pick<StatusHappening, 'status' | 'count'>,
): string => keyOf(order, 'status', status, String(count))

export const parcelKey = (order: Numbered, status: string, { id }: Pick<Parcel, 'id'>): string =>
  keyOf(order, 'parcel', status, id)

const keyOf = (order: Numbered, ...part: string[]) => `order:${partUniqueId(order, ...part)}`

/**
 * The happenings of an order with one parcel each, so that each is told or not, and in the order in
 * which they happened: the history's own, and each parcel before the first change that came after it.
 */
export function oneByOne(happenings: readonly OrderHappening[]): OrderHappening[] {
  const ordered = happenings.filter((happening) => parcelsOf(happening).length === 0)
  for (const happening of happenings) {
    for (const parcel of parcelsOf(happening)) {
      const at = parcel.shippedAt ?? happening.at
      const after = ordered.findIndex(
        (other) => other.kind === 'status' && other.parcels.length === 0 && other.at > at,
      )
      const place = after === -1 ? ordered.length : after
      ordered.splice(place, 0, { ...happening, parcels: [parcel] } as OrderHappening)
    }
  }
  return ordered
}

const parcelsOf = (happening: OrderHappening): readonly Parcel[] =>
  happening.kind === 'status' ? happening.parcels : []

/**
 * Keys of which a single one that is stored says that a happening was told. All sends of one are
 * stored together: a line that came later is no part of what was ordered. Whichever status was the
 * shipped one by then, a parcel is told once, and so is the status that was told by its parcels.
 */
export function keysOfTelling(
  {
    order,
    changes,
    parcels,
  }: {
    order: Order
    changes: readonly StatusChange[]
    parcels: readonly Parcel[]
  },
  happening: OrderHappening,
): string[] {
  if (happening.kind === 'placed') {
    return [placedKey(order), ...order.items.map((_, index) => lineKey(order, index))]
  }
  const { status, parcels: own } = happening
  if (own.length === 0) {
    return [statusKey(order, happening), ...parcels.map((one) => parcelKey(order, status, one))]
  }
  const statuses = new Set([status, ...changes.map((change) => change.status)])
  return [...statuses].flatMap((each) => own.map((parcel) => parcelKey(order, each, parcel)))
}

import type { Order } from '../commerce/order.js'
import { hashOf } from '../marketing/send-key.js'
import {
  refundedStatus,
  type OrderHappening,
  type Parcel,
  type StatusChange,
  type StatusHappening,
} from './happening.js'

type Numbered = Pick<Order, 'id' | 'number'>

/** The longest id that is sent as it is. */
const uniqueIdLength = 255

/** The platform ties what it knows of an order together by these statuses' sharing its id. */
const statusesThatShareTheId = new Set(['cancelled', 'canceled', refundedStatus])

/**
 * What makes an event of an order the same when it is reported again: the key of its send, and the id
 * that the platform knows it by (`decisions.md`, Marketing). They name what happened and not what it is
 * called: whoever changes an event's name, or a line's row, has nothing sent twice.
 */
export const placedIds = (order: Numbered) => ({
  key: keyOf(order, 'placed'),
  uniqueId: numberOf(order),
})

/** The key is by the line's place: rows that are saved without their ids get new ones. */
export const lineIds = (order: Numbered, index: number, lineId = String(index)) => ({
  key: keyOf(order, 'line', String(index)),
  uniqueId: partId(order, lineId),
})

/** The first cancellation and the first refund have the order's own id. */
export const statusIds = (
  order: Numbered,
  { status, count }: Pick<StatusHappening, 'status' | 'count'>,
) => ({
  key: keyOf(order, 'status', status, String(count)),
  uniqueId:
    count === 1 && statusesThatShareTheId.has(status)
      ? numberOf(order)
      : partId(order, status, String(count)),
})

export const parcelIds = (order: Numbered, status: string, { id }: Parcel) => ({
  key: keyOf(order, 'parcel', status, id),
  uniqueId: partId(order, id),
})

const keyOf = (order: Numbered, ...part: string[]) => `order:${partId(order, ...part)}`

/** An order from before Storeconnect has no number: its id stands in. */
const numberOf = ({ id, number }: Numbered) =>
  number === undefined || number === '' ? String(id) : number

/** In the place of an id longer than the platform surely takes stands its digest, which repeats as well. */
function partId(order: Numbered, ...part: string[]): string {
  const id = [numberOf(order), ...part].join(':').toWellFormed().replaceAll('\0', '')
  return id.length <= uniqueIdLength ? id : hashOf(id)
}

/**
 * Keys of which a single one that is stored says that a happening was reported. All sends of one are
 * stored together: a line that came later is no part of what was ordered. Whichever status was the
 * shipped one by then, a parcel is sent once, and so is the status that its parcels stood for.
 */
export function keysOfReport(
  happening: OrderHappening,
  about: { order: Order; changes: readonly StatusChange[]; parcels: readonly Parcel[] },
): string[] {
  const { order, changes, parcels } = about
  const parcelKey = (status: string) => (parcel: Parcel) => parcelIds(order, status, parcel).key
  if (happening.kind === 'placed') {
    return [placedIds(order).key, ...order.items.map((_, index) => lineIds(order, index).key)]
  }
  const { status, parcels: own } = happening
  if (own.length === 0) return [statusIds(order, happening).key, ...parcels.map(parcelKey(status))]
  const statuses = new Set([status, ...changes.map((change) => change.status)])
  return [...statuses].flatMap((each) => own.map(parcelKey(each)))
}

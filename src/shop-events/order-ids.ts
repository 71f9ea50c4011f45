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
type Entry = Pick<StatusHappening, 'status' | 'count'>

/** The longest id that is sent as it is. */
const uniqueIdLength = 255

/** The platform ties what it knows of an order together by these statuses' sharing its id. */
const statusesThatShareTheId = new Set(['cancelled', 'canceled', refundedStatus])

/** The id of Placed Order. An order from before Storeconnect has no number: its id stands in. */
export const orderUniqueId = ({ id, number }: Numbered): string =>
  number === undefined || number === '' ? String(id) : number

/**
 * The id of something about an order: number and what it is about (`decisions.md`, Marketing). In the
 * place of a longer id than the platform surely takes stands its digest, which repeats just as well.
 */
export function partUniqueId(order: Numbered, ...part: string[]): string {
  const id = [orderUniqueId(order), ...part].join(':').toWellFormed().replaceAll('\0', '')
  return id.length <= uniqueIdLength ? id : hashOf(id)
}

/** The id of a change of status: the order's own for the first cancellation and the first refund. */
export const statusUniqueId = (order: Numbered, { status, count }: Entry): string =>
  count === 1 && statusesThatShareTheId.has(status)
    ? orderUniqueId(order)
    : partUniqueId(order, status, String(count))

/**
 * Keys of an order's sends. They name what happened and not what it is called: whoever changes an
 * event's name, or a line's row, has nothing sent twice.
 */
export const placedKey = (order: Numbered): string => keyOf(order, 'placed')

/** By the line's place: rows that are saved without their ids get new ones. */
export const lineKey = (order: Numbered, index: number): string =>
  keyOf(order, 'line', String(index))

export const statusKey = (order: Numbered, { status, count }: Entry): string =>
  keyOf(order, 'status', status, String(count))

export const parcelKey = (order: Numbered, status: string, { id }: Pick<Parcel, 'id'>): string =>
  keyOf(order, 'parcel', status, id)

const keyOf = (order: Numbered, ...part: string[]) => `order:${partUniqueId(order, ...part)}`

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
  if (happening.kind === 'placed') {
    return [placedKey(order), ...order.items.map((_, index) => lineKey(order, index))]
  }
  const { status, parcels: own } = happening
  if (own.length === 0) {
    return [statusKey(order, happening), ...parcels.map((each) => parcelKey(order, status, each))]
  }
  const statuses = new Set([status, ...changes.map((change) => change.status)])
  return [...statuses].flatMap((each) => own.map((parcel) => parcelKey(order, each, parcel)))
}

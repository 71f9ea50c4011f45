import type { Order } from '../../shop/orders/order.js'
import { hashOf } from '../../core/signing.js'
import {
  endingStatuses,
  type OrderHappening,
  type Parcel,
  type StatusHappening,
} from '../../shop/orders/happening.js'
import type { ParcelState } from '../../shop/orders/parcel-state.js'
import type { StatusChange } from '../../shop/orders/status-history.js'

type Numbered = Pick<Order, 'id' | 'number'>

/** The longest id that is sent unchanged. */
const uniqueIdLength = 255

/**
 * The key of an event's send and its unique id depend on what happened and not on a name, so that renaming an event or
 * saving a line's row again sends nothing twice (`docs/interface.md` (Built-in events)).
 */
export const placedIds = (order: Numbered) => ({
  key: keyOf(order, 'placed'),
  uniqueId: numberOf(order),
})

/** Of the subscription that the shopper consented to at the checkout. */
export const consentKey = (order: Numbered): string => keyOf(order, 'consent')

/** Of the event that says that its products can be reviewed. */
export const requestIds = (order: Numbered) => ({
  key: keyOf(order, 'review'),
  uniqueId: partId(order, 'review'),
})

/** The key uses the line's position, because rows that are saved without their ids get new ones. */
export const lineIds = (order: Numbered, index: number, lineId = String(index)) => ({
  key: keyOf(order, 'line', String(index)),
  uniqueId: partId(order, lineId),
})

/** The first cancellation and the first refund use the order's own id. */
export const statusIds = (
  order: Numbered,
  { status, count }: Pick<StatusHappening, 'status' | 'count'>,
) => ({
  key: keyOf(order, 'status', status, String(count)),
  uniqueId:
    count === 1 && endingStatuses.has(status)
      ? numberOf(order)
      : partId(order, status, String(count)),
})

export const parcelIds = (order: Numbered, status: string, { id }: Parcel) => ({
  key: keyOf(order, 'parcel', status, id),
  uniqueId: partId(order, id),
})

export const parcelStateIds = (
  order: Numbered,
  state: ParcelState,
  { id }: Pick<Parcel, 'id'>,
) => ({
  key: keyOf(order, 'parcel-state', state, id),
  uniqueId: partId(order, id, state),
})

const keyOf = (order: Numbered, ...part: string[]) => `order:${partId(order, ...part)}`

/** An order made before Storeconnect was installed has no number, so its id replaces it. */
const numberOf = ({ id, number }: Numbered) =>
  number === undefined || number === '' ? String(id) : number

function partId(order: Numbered, ...part: string[]): string {
  const id = [numberOf(order), ...part].join(':').toWellFormed().replaceAll('\0', '')
  return id.length <= uniqueIdLength ? id : hashOf(id)
}

/**
 * One stored key shows that a happening was reported, as its sends are stored together. A parcel is sent once, whichever
 * status counted as shipped at that time, and so is the status that its parcels stood for.
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
  if (happening.kind === 'reviewable') return [requestIds(order).key]
  if (happening.kind === 'parcel') {
    return [parcelStateIds(order, happening.state, happening.parcel).key]
  }
  const { status, parcels: own } = happening
  if (own.length === 0) return [statusIds(order, happening).key, ...parcels.map(parcelKey(status))]
  const statuses = new Set([status, ...changes.map((change) => change.status)])
  return [...statuses].flatMap((each) => own.map(parcelKey(each)))
}

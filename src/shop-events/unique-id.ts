import type { Order } from '../commerce/order.js'
import { hashOf } from '../marketing/send-key.js'
import { refundedStatus } from './event-name.js'
import type { OrderHappening } from './happening.js'

type StatusHappening = OrderHappening & { kind: 'status' }

/** The platform ties what it knows of an order together by these statuses' sharing its id. */
const statusesThatShareTheId = new Set(['cancelled', 'canceled', refundedStatus])

/** The longest id that is sent as it is. */
const uniqueIdLength = 255

/** The id of Placed Order. An order from before Storeconnect has no number: its id stands in. */
export const orderUniqueId = ({ id, number }: Pick<Order, 'id' | 'number'>): string =>
  number === undefined || number === '' ? String(id) : number

/** The id of something about an order: number and what it is about (`decisions.md`, Marketing). */
export const partUniqueId = (order: Pick<Order, 'id' | 'number'>, ...part: string[]): string =>
  shortened([orderUniqueId(order), ...part].join(':').toWellFormed().replaceAll('\0', ''))

/** The id of a change of status: the order's own for the first cancellation and the first refund. */
export const statusUniqueId = (
  order: Pick<Order, 'id' | 'number'>,
  { status, count }: Pick<StatusHappening, 'status' | 'count'>,
): string =>
  count === 1 && statusesThatShareTheId.has(status)
    ? orderUniqueId(order)
    : partUniqueId(order, status, String(count))

/** A longer id than the platform surely takes is told by its digest, which repeats just as well. */
const shortened = (id: string) => (id.length <= uniqueIdLength ? id : hashOf(id))
